import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { storeBuild } from '../../../src/runs/builds/store-build.ts';
import { getSuiteFor } from '../../../src/suites/read-suite.ts';
import { tarGzOf } from '../../archives/archives.ts';
import { startTestApi, type TestApi } from '../../support/api-client.ts';
import { newSuite } from '../../support/world.ts';
import { worldOf } from '../fixture.ts';

const STAYS = new AbortController().signal;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => api.stop());

it('an uploaded build holds few of its bytes in memory while it is stored, however many are uploaded at once', async () => {
  const MIB = 1024 * 1024;
  let [held, most] = [0, 0];
  const storage = {
    ...api.ctx.storage,
    async put(_name: string, bytes: Buffer) {
      held += bytes.length;
      most = Math.max(most, held);
      await new Promise((resolve) => {
        setTimeout(resolve, 1000);
      });
      held -= bytes.length;
    },
  };
  // Compresses well, and less than a bomb does.
  const tile = Buffer.concat([randomBytes(2048), Buffer.alloc(62 * 1024)]);
  const content = Buffer.alloc(30 * MIB, tile);
  const archives = ['a', 'b', 'c'].map((name) =>
    tarGzOf([
      { path: 'index.html', content: name },
      ...['1', '2', '3', '4'].map((each) => ({
        path: each,
        content: Buffer.concat([Buffer.from(name + each), content]),
      })),
    ]),
  );
  const { user } = await api.account('owner');
  const { id } = await newSuite(worldOf(api), user, ['/']);
  const of = await getSuiteFor(api.ctx, user, id, 'suite.upload');
  await Promise.all(
    archives.map(async (archive) =>
      storeBuild({ ...api.ctx, storage }, of, {
        stream: Readable.from([archive]),
        length: null,
        headSha: null,
        gone: STAYS,
      }),
    ),
  );
  expect(most / MIB).toBeLessThanOrEqual(2 * 65);
});

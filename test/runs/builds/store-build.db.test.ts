import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { storeBuild } from '../../../src/runs/builds/store-build.ts';
import { tarGzOf } from '../../archives/archives.ts';
import { someoneWaits } from '../../support/database.ts';
import { startRun } from '../../support/requests.ts';
import { newSuite, newViewer } from '../../support/world.ts';
import { worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(async () => world.end());

it('an upload and the start of a run of an earlier build never wait for each other', async () => {
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, ['/']);
  const upload = async (content: string) =>
    storeBuild(world.ctx, suite, {
      stream: Readable.from([tarGzOf([{ path: 'index.html', content }])]),
      length: null,
      headSha: null,
      gone: new AbortController().signal,
    });
  const { id: buildId } = await upload('before');
  const settings = await world.db.transaction();
  await settings('test_suites').where({ id: suite.id }).forUpdate().first('id');
  const uploading = upload('after');
  await someoneWaits(world.db);
  const starting = startRun(world.ctx, viewer, suite, { buildId });
  await someoneWaits(world.db, 2);
  await settings.commit();
  const [build, run] = await Promise.allSettled([uploading, starting]);
  expect([build.status, run.status]).toEqual(['fulfilled', 'fulfilled']);
});

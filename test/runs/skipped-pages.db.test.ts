import { afterAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import { readLogs, readRun, startRun } from '../support/requests.ts';
import { newSuite, newViewer, worldOn } from '../support/world.ts';

const database = await createTestDatabase();
const world = worldOn(database.db);
afterAll(() => database.drop());

const viewports = ['desktop', 'mobile'].map((name) => ({ name, width: 800, height: 600 }));

describe('pages that rules leave out', () => {
  it('are those of the last rule that matches, at each viewport', async () => {
    const viewer = await newViewer(world);
    const rules = [
      { paths: ['blog/**'], skip: true },
      { paths: ['blog/new'], viewports: ['mobile'], skip: false },
      { paths: ['**'], threshold: 0.5 },
    ];
    const suite = await newSuite(world, viewer, ['/', '/blog/old', '/blog/new?page=2'], { viewports, rules });
    const { id } = await startRun(world.ctx, viewer, suite, {});
    const { results } = await readRun(world.ctx, viewer, id, 'suite.read');
    expect(results.map(({ path, viewport }) => `${path} ${viewport}`).sort()).toEqual([
      '/ desktop',
      '/ mobile',
      '/blog/new?page=2 mobile',
    ]);
  });

  it('are not silently captured where a rule names a viewport that the suite does not have', async () => {
    const viewer = await newViewer(world);
    const rules = [{ paths: ['**'], viewports: ['moblie', 'desktop'], skip: true }];
    const suite = await newSuite(world, viewer, ['/'], { viewports, rules });
    const { id } = await startRun(world.ctx, viewer, suite, {});
    expect(await readLogs(world.ctx, viewer, id)).toContainEqual(
      expect.objectContaining({
        type: 'WARNING',
        message: 'Rules name viewports that the suite does not have: moblie',
      }),
    );
  });

  it('hold nobody up: others are served meanwhile, and after 2 s the rest is captured', async () => {
    const viewer = await newViewer(world);
    const glob = `{${'*a*a*,'.repeat(59)}*a}${'*a'.repeat(30)}b`;
    const rules = Array.from({ length: 40 }, () => ({ paths: [glob], skip: true }));
    const paths = Array.from({ length: 600 }, (_, index) => `/${'a'.repeat(2000)}${index}`);
    const suite = await newSuite(world, viewer, paths, { viewports, rules });
    let served = 0;
    const watch = setInterval(() => (served += 1), 1);
    const { id } = await startRun(world.ctx, viewer, suite, {});
    clearInterval(watch);
    const logs = await readLogs(world.ctx, viewer, id);
    expect(logs.map(({ message }) => message)).toContain(
      'The globs of the suite’s rules take too long to match: pages that the rules exclude are captured',
    );
    expect(served).toBeGreaterThan(10);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readLeastStable, readStability } from '../../../src/runs/page-results/page-results-store.ts';
import { readUnmatchedSelectors } from '../../../src/runs/results/site-notice-store.ts';
import { numberRuns } from '../../support/number-runs.ts';
import { readLogs } from '../../support/requests.ts';
import { newSuite, newViewer } from '../../support/world.ts';
import { marked, onlyPage, runOn, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const PNG = marked([10]);

describe('the share of unstable results', () => {
  it('is that of the newest 20 results of a page and viewport', async () => {
    const page = await onlyPage(world);
    for (let run = 0; run < 22; run += 1) {
      await runOn(world, page, PNG, { stability: run < 3 || run === 21 ? 'UNSTABLE' : 'AT_ONCE' });
    }
    expect(await readLeastStable(world.ctx.db, page.suite)).toMatchObject([
      { path: '/', viewport: 'desktop', unstable: 2, results: 20 },
    ]);
    expect(await readStability(world.ctx.db, page.suite, ['/'])).toHaveLength(1);
    expect(await readStability(world.ctx.db, page.suite, ['/other'])).toEqual([]);
  });

  it('is told of the five pages where it is highest, of those that are still there, and of no stable one', async () => {
    const suite = await newSuite(world, await newViewer(world), ['/a', '/b', '/c', '/d', '/e', '/f', '/g']);
    const runs = await world
      .db('test_runs')
      .insert(
        await numberRuns(
          world.db,
          [1, 2].map(() => ({
            test_suite_id: suite.id,
            run_type: 'BRANCH',
            status: 'COMPLETED',
            target_base_url: suite.baseUrl,
            config: JSON.stringify(suite.config),
          })),
        ),
      )
      .returning<{ id: string }[]>('id');
    const unstable = { '/a': 1, '/b': 2, '/c': 1, '/d': 1, '/e': 1, '/f': 1, '/g': 0, '/gone': 2 };
    await world.db('page_results').insert(
      runs.flatMap(({ id }, run) =>
        Object.entries(unstable).map(([path, count], position) => ({
          test_run_id: id,
          position,
          url: suite.origin + path,
          path,
          viewport: 'desktop',
          status: 'PASS',
          stability: run < count ? 'UNSTABLE' : 'SETTLED',
        })),
      ),
    );
    // Of a page whose other capture failed, all that there are were unstable.
    await world.db('page_results').where({ test_run_id: runs[1]?.id, path: '/f' }).update({ stability: null });
    expect(
      (await readLeastStable(world.ctx.db, suite)).map((share) => [share.path, share.unstable, share.results]),
    ).toEqual([
      ['/b', 2, 2],
      ['/f', 1, 1],
      ['/a', 1, 2],
      ['/c', 1, 2],
      ['/d', 1, 2],
    ]);
  });
});

describe('the end of a run', () => {
  const rules = [{ paths: ['/'], hide: ['.ad', '.gone'] }];

  it('stores the selectors that matched nothing, and warns of them', async () => {
    const page = await onlyPage(world, { rules });
    const { testRunId } = await runOn(world, page, PNG, { unmatched: ['.gone'] });
    expect(await readUnmatchedSelectors(world.ctx.db, page.suite)).toEqual(['.gone']);
    const lines = (await readLogs(world.ctx, page.viewer, testRunId)).filter(({ type }) => type === 'WARNING');
    expect(lines.map(({ message }) => message)).toEqual(['Rule selectors that matched nothing on any page: .gone']);
  });

  it('says nothing when each of them matched', async () => {
    const page = await onlyPage(world, { rules });
    await runOn(world, page, PNG, { unmatched: ['.gone'] });
    const { testRunId } = await runOn(world, page, PNG, { unmatched: [] });
    expect(await readUnmatchedSelectors(world.ctx.db, page.suite)).toEqual([]);
    const lines = await readLogs(world.ctx, page.viewer, testRunId);
    expect(lines.filter(({ type }) => type === 'WARNING')).toEqual([]);
  });
});

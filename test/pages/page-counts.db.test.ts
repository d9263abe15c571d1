import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { actOnPages } from '../../src/pages/add-page.ts';
import { readPageOverview } from '../../src/pages/page-overview-store.ts';
import { readPageTally } from '../../src/pages/page-search-store.ts';
import type { PageFilter } from '../../src/pages/site-page.ts';
import { savePageStates } from '../../src/runs/page-results/page-state-store.ts';
import { searchPages } from '../../src/runs/page-results/read-pages.ts';
import { createTestDatabase } from '../support/database.ts';
import { numberRuns } from '../support/number-runs.ts';
import { newSuite, newViewer, worldOn, type OwnSuite } from '../support/world.ts';

let suite: OwnSuite;
const database = await createTestDatabase();
const world = worldOn(database.db);
const viewer = await newViewer(world);
beforeEach(async () => {
  suite = await newSuite(world, viewer, []);
});
afterAll(() => database.drop());

const EVERYTHING: PageFilter = { text: null, status: null, tracked: null };

async function insertPages(paths: string[], rest: Record<string, unknown> = {}, ofSuite = suite): Promise<void> {
  await database
    .db('site_pages')
    .insert(paths.map((path) => ({ test_suite_id: ofSuite.id, owner_id: ofSuite.userId, path, ...rest })));
}

async function found(filter: Partial<PageFilter>, slice = { descending: false, limit: 100, offset: 0 }) {
  const pages = await searchPages(world.ctx, suite, { ...EVERYTHING, ...filter }, slice);
  const { matched } = await readPageOverview(world.ctx.db, suite, { ...EVERYTHING, ...filter });
  return { paths: pages.map((page) => page.path), matched };
}

describe('searching the pages of a suite', () => {
  it('takes what is typed as it stands, in any case, in the path and in the title', async () => {
    await insertPages(['/100%', '/1000', String.raw`/a\b`, '/under_score', '/underXscore']);
    await insertPages(['/titled'], { title: 'Über uns' });
    expect((await found({ text: '100%' })).paths).toEqual(['/100%']);
    expect((await found({ text: 'R_S' })).paths).toEqual(['/under_score']);
    expect((await found({ text: String.raw`a\b` })).paths).toEqual([String.raw`/a\b`]);
    expect((await found({ text: 'über' })).paths).toEqual(['/titled']);
  });

  it('counts the pages of each folder that match, with all of the suite', async () => {
    await insertPages(['/', '/about', '/docs/a', '/docs/b/c', '/docs/b/d'], { tracked: true });
    await insertPages(['/old/a'], { status: 'REMOVED' });
    const { folders, matched, tally, states } = await readPageOverview(world.ctx.db, suite, EVERYTHING);
    const none = { changed: 0, errors: 0 };
    expect(folders).toEqual([
      { folder: '/', pages: 2, ...none },
      { folder: '/docs/', pages: 3, ...none },
      { folder: '/old/', pages: 1, ...none },
    ]);
    expect([matched, tally.total, tally.runnable, states.never]).toEqual([6, 6, 5, 6]);
    const below = await readPageOverview(world.ctx.db, suite, { ...EVERYTHING, folder: '/docs/', tracked: true });
    expect(below.folders.map(({ folder, pages }) => [folder, pages])).toEqual([
      ['/docs/', 1],
      ['/docs/b/', 2],
    ]);
    expect([below.matched, below.tally.total]).toEqual([3, 6]);
    expect((await found({ folder: '/docs/b/' })).paths).toEqual(['/docs/b/c', '/docs/b/d']);
  });

  it('narrows by status and by what is tracked, and counts what matches beyond the slice', async () => {
    await insertPages(['/a', '/b', '/c'], { status: 'NEW', tracked: true });
    await insertPages(['/d'], { status: 'NEW' });
    await insertPages(['/e'], { status: 'REMOVED', tracked: true });
    await insertPages(['/f'], {}, await newSuite(world, viewer, []));
    const slice = { descending: true, limit: 2, offset: 1 };
    expect(await found({ status: 'NEW', tracked: true }, slice)).toEqual({ paths: ['/b', '/a'], matched: 3 });
    expect((await found({ tracked: false })).paths).toEqual(['/d']);
    expect(await readPageTally(world.ctx.db, suite)).toEqual({
      total: 5,
      tracked: 4,
      runnable: 3,
      new: 4,
      removed: 1,
    });
  });

  it('brings each page its latest result', async () => {
    await insertPages(['/a', '/b']);
    const row = { test_suite_id: suite.id, target_base_url: suite.origin, config: '{}', status: 'COMPLETED' };
    const [run] = await database
      .db('test_runs')
      .insert(await numberRuns(database.db, [row]))
      .returning<{ id: string }[]>('id');
    const result = { test_run_id: run?.id, url: `${suite.origin}/b`, path: '/b' };
    await database.db('page_results').insert([
      { ...result, position: 0, viewport: 'desktop', status: 'FAIL', diff_score: 3.5 },
      { ...result, position: 1, viewport: 'mobile', status: 'PASS', diff_score: 0 },
    ]);
    await savePageStates(database.db, run?.id ?? '');
    const pages = await searchPages(world.ctx, suite, EVERYTHING, { descending: false, limit: 10, offset: 0 });
    expect(pages.map((page) => page.latestResult)).toEqual([
      null,
      {
        testRunId: run?.id,
        screenshot: null,
        status: 'FAIL',
        diffScore: 3.5,
        isFirst: false,
        viewports: { desktop: 'FAIL', mobile: 'PASS' },
        approved: [],
        uncounted: [],
      },
    ]);
  });
});

describe('acting on all pages that match', () => {
  it('changes those of the suite alone, counts what it changed, and records it', async () => {
    const other = await newSuite(world, viewer, []);
    await insertPages(['/old/1', '/old/2', '/kept']);
    await insertPages(['/old/3'], { tracked: true });
    await insertPages(['/old/1'], {}, other);
    const filter = { ...EVERYTHING, text: '/old/' };
    expect(await actOnPages(world.ctx, suite, { action: 'track', on: { filter, shown: 3 } })).toBe(2);
    expect((await found({ tracked: true })).paths).toEqual(['/old/1', '/old/2', '/old/3']);
    expect((await readPageTally(world.ctx.db, other)).tracked).toBe(0);
    expect(await actOnPages(world.ctx, suite, { action: 'delete', on: { filter, shown: 3 } })).toBe(3);
    expect((await found({})).paths).toEqual(['/kept']);
    expect((await readPageTally(world.ctx.db, other)).total).toBe(1);
    const recorded = database.db('events').where({ kind: 'pages.changed', suite_id: suite.id }).orderBy('id');
    expect(await recorded.pluck('details')).toEqual([
      { action: 'track', pages: 2 },
      { action: 'delete', pages: 3 },
    ]);
  });
});

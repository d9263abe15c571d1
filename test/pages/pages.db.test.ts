import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { actOnPages, addPage } from '../../src/pages/add-page.ts';
import { savePageStates } from '../../src/runs/page-results/page-state-store.ts';
import { readPage } from '../../src/runs/page-results/read-pages.ts';
import { createTestDatabase } from '../support/database.ts';
import { numberRuns } from '../support/number-runs.ts';
import { listPages } from '../support/requests.ts';
import { newSuite, newViewer, worldOn, type OwnSuite } from '../support/world.ts';

let suite: OwnSuite;

const database = await createTestDatabase();
const world = worldOn(database.db);
const viewer = await newViewer(world);

beforeEach(async () => {
  suite = await newSuite(world, viewer, []);
});

afterAll(() => database.drop());

async function insertPage(path: string, rest: Record<string, unknown> = {}, ofSuite = suite): Promise<string> {
  const [row] = await database
    .db('site_pages')
    .insert({ test_suite_id: ofSuite.id, owner_id: ofSuite.userId, path, ...rest })
    .returning<{ id: string }[]>('id');
  return row?.id ?? '';
}

type Result = {
  path: string;
  viewport: string;
  status: string;
  diff_score?: number;
  is_new?: boolean;
  approved?: boolean;
};

async function insertRun(createdAt: string, run: Record<string, unknown>, results: Result[]): Promise<string> {
  const [row] = await database
    .db('test_runs')
    .insert(
      await numberRuns(database.db, [
        {
          test_suite_id: suite.id,
          target_base_url: suite.origin,
          config: '{}',
          status: 'COMPLETED',
          created_at: createdAt,
          ...run,
        },
      ]),
    )
    .returning<{ id: string }[]>('id');
  const id = row?.id ?? '';
  await database
    .db('page_results')
    .insert(
      results.map((result, position) => ({ test_run_id: id, position, url: suite.origin + result.path, ...result })),
    );
  await savePageStates(database.db, id);
  return id;
}

describe('listPages', () => {
  it('is empty for a suite without pages', async () => {
    expect(await listPages(world.ctx, suite)).toEqual({
      pages: [],
      crawl: { status: 'IDLE', lastCrawledAt: null, lastStats: null, error: null },
      counts: { total: 0, tracked: 0, new: 0, removed: 0 },
    });
  });

  it('gives each page the newest finished MANUAL run that took it, the worst viewport first', async () => {
    await Promise.all(['/a', '/b', '/c'].map((path) => insertPage(path)));
    const old = await insertRun('2026-01-01', {}, [{ path: '/b', viewport: 'desktop', status: 'ERROR' }]);
    const latest = await insertRun('2026-01-02', {}, [
      { path: '/a', viewport: 'desktop', status: 'PASS', diff_score: 0.5 },
      { path: '/a', viewport: 'mobile', status: 'FAIL', diff_score: 2.25, approved: true },
    ]);
    const result = { path: '/a', viewport: 'desktop', status: 'ERROR' };
    await insertRun('2026-01-03', { status: 'RUNNING' }, [result]);
    await insertRun('2026-01-04', { run_type: 'BRANCH' }, [result]);
    await insertRun('2026-01-05', { status: 'CANCELLED' }, [{ ...result, status: 'CANCELLED' }]);
    const { pages, counts } = await listPages(world.ctx, suite);
    expect(pages.map(({ path, latestResult }) => [path, latestResult])).toEqual([
      [
        '/a',
        {
          testRunId: latest,
          status: 'FAIL',
          diffScore: 2.25,
          isFirst: false,
          viewports: { desktop: 'PASS', mobile: 'FAIL' },
          approved: ['mobile'],
          uncounted: [],
          screenshot: null,
        },
      ],
      ['/b', expect.objectContaining({ testRunId: old, status: 'ERROR', approved: [] })],
      ['/c', null],
    ]);
    expect(counts.total).toBe(3);
  });
});

describe('readPage', () => {
  it('reads a page with its result, and finds none of another suite', async () => {
    const id = await insertPage('/a');
    const runId = await insertRun('2026-01-01', {}, [
      { path: '/a', viewport: 'desktop', status: 'PASS', is_new: true },
    ]);
    expect(await readPage(world.ctx, suite, id)).toMatchObject({
      id,
      url: 'http://site.test/a',
      latestResult: { testRunId: runId, status: 'PASS', isFirst: true },
    });
    const other = await newSuite(world, viewer, []);
    await expect(readPage(world.ctx, other, id)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('actOnPages', () => {
  it('changes the pages of this suite, and counts those that it changed', async () => {
    const other = await newSuite(world, viewer, []);
    const [fresh, active, removed, foreign] = await Promise.all([
      insertPage('/fresh', { status: 'NEW' }),
      insertPage('/active'),
      insertPage('/removed', { status: 'REMOVED', removed_at: new Date() }),
      insertPage('/foreign', {}, other),
    ]);
    const pageIds = [fresh, active, removed, foreign];
    const act = (action: 'track' | 'untrack' | 'acknowledge' | 'delete', ids = pageIds): Promise<number> =>
      actOnPages(world.ctx, suite, { action, on: ids });

    expect(await act('track')).toBe(3);
    expect(await act('track')).toBe(0);
    expect(await act('untrack', [fresh])).toBe(1);
    expect(await act('acknowledge')).toBe(1);
    expect(await readPage(world.ctx, suite, fresh)).toMatchObject({ status: 'ACTIVE', tracked: false });
    expect(await readPage(world.ctx, suite, removed)).toMatchObject({ status: 'REMOVED', tracked: true });
    expect((await listPages(world.ctx, suite)).counts).toEqual({ total: 3, tracked: 2, new: 0, removed: 1 });
    expect(await act('delete', [removed, foreign])).toBe(1);
    expect(await act('delete', [])).toBe(0);
    expect(await readPage(world.ctx, other, foreign)).toMatchObject({ tracked: false });
  });
});

describe('addPage', () => {
  it('adds an ACTIVE, tracked page by address or by path', async () => {
    const byUrl = await addPage(world.ctx, suite, { url: ' https://SITE.test/a/../b?utm_source=x&q=1#part ' });
    expect(byUrl).toMatchObject({
      path: '/b?q=1',
      url: 'http://site.test/b?q=1',
      status: 'ACTIVE',
      tracked: true,
      title: null,
    });
    expect(await addPage(world.ctx, suite, { path: '/b?q=1' })).toMatchObject({ id: byUrl.id });
    expect((await addPage(world.ctx, suite, { path: '//evil.test/x' })).url).toBe('http://site.test//evil.test/x');
  });

  it('tracks a page that is there, and takes it back from REMOVED', async () => {
    await insertPage('/fresh', { status: 'NEW', title: 'Fresh' });
    await insertPage('/removed', { status: 'REMOVED', removed_at: new Date() });
    expect(await addPage(world.ctx, suite, { path: '/fresh' })).toMatchObject({
      status: 'NEW',
      tracked: true,
      title: 'Fresh',
    });
    expect(await addPage(world.ctx, suite, { path: '/removed' })).toMatchObject({ status: 'ACTIVE', removedAt: null });
  });

  it.each([
    [{ url: 'http://www.site.test/a' }, 'url'],
    [{ url: 'http://site.test:8080/a' }, 'url'],
    [{ url: 'ftp://site.test/a' }, 'url'],
    [{ url: '/a' }, 'url'],
    [{ path: 'a' }, 'path'],
    [{ path: '@evil.test/' }, 'path'],
    [{ path: `/${'x'.repeat(3000)}` }, 'path'],
    [{}, 'url'],
    [{ url: 'http://site.test/a', path: '/a' }, 'url'],
  ])('refuses %j, naming %s', async (input, field) => {
    await expect(addPage(world.ctx, suite, input)).rejects.toMatchObject({
      kind: 'invalid',
      details: { issues: [{ path: field }] },
    });
    expect((await listPages(world.ctx, suite)).pages).toEqual([]);
  });
});

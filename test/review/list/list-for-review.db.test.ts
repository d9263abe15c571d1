import { afterAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { isApprovable } from '../../../src/review/approval/approvable.ts';
import type { ReviewFilter, ReviewRow } from '../../../src/review/list/review-row.ts';
import { listApprovers } from '../../../src/review/overview/read-run-overview.ts';
import {
  findSection,
  isQuiet,
  RESULT_STATUSES,
  REVIEW_SECTIONS,
  type PageResult,
} from '../../../src/runs/results/result.ts';
import { createTestDatabase } from '../../support/database.ts';
import {
  approveRun,
  listReviewGroups,
  listReviewRows,
  readReviewResult,
  readRun,
  readRunOverview,
  shareSuite,
  startRun,
} from '../../support/requests.ts';
import { newSuite, newViewer, worldOn } from '../../support/world.ts';

const VIEWPORTS = ['wide', 'narrow', 'middle'].map((name) => ({ name, width: 800, height: 600 }));
const PATHS = ['/', '/50%25_off', '/About', '/broken', '/new', '/same'];
const PREVIEW = { targetBaseUrl: 'http://preview.test' };
const ALL = { limit: 100, offset: 0 };

const database = await createTestDatabase();
const world = worldOn(database.db);
const viewer = await newViewer(world);
const suite = await newSuite(world, viewer, PATHS, { viewports: VIEWPORTS });
afterAll(() => database.drop());

type Said = Partial<Pick<PageResult, 'status' | 'isNew' | 'diffScore' | 'currentFile' | 'error'>>;

const changed = (diffScore: number): Said => ({ status: 'FAIL', diffScore });

/** By path and viewport. Results that are not listed passed. */
const SETTLED: Record<string, Said> = {
  '/ wide': changed(1),
  '/ middle': changed(30),
  '/About narrow': changed(7.5),
  '/50%25_off narrow': changed(7.5),
  '/broken wide': { status: 'ERROR', error: 'It answered 500', currentFile: null },
  '/broken narrow': { status: 'ERROR', error: 'It answered 500', currentFile: null },
  '/new wide': { status: 'PASS', isNew: true },
  '/same middle': { status: 'PENDING', currentFile: null },
};

/** A run with these results, written directly to the database. */
async function settledRun(status = 'COMPLETED', settled = SETTLED): Promise<string> {
  const { id } = await startRun(world.ctx, viewer, suite, PREVIEW);
  const { results } = await readRun(world.ctx, viewer, id, 'suite.read');
  for (const result of results) {
    const said = settled[`${result.path} ${result.viewport}`] ?? { status: 'PASS', diffScore: 0 };
    await world
      .db('page_results')
      .where({ id: result.id })
      .update({
        status: said.status,
        is_new: said.isNew ?? false,
        diff_score: said.diffScore ?? null,
        error: said.error ?? null,
        current_file: said.currentFile === undefined ? `suites/${suite.id}/${result.id}.png` : said.currentFile,
      });
  }
  await world.db('test_runs').where({ id }).update({ status });
  return id;
}

const nameOf = ({ path, viewport }: { path: string; viewport: string }) => `${path} ${viewport}`;

async function names(runId: string, filter: ReviewFilter = {}, part = ALL): Promise<string[]> {
  return (await listReviewRows(world.ctx, viewer, runId, filter, part)).map(nameOf);
}

/** What wants something of somebody, in order. */
const IN_ORDER = [
  '/ wide',
  '/ middle',
  '/50%25_off narrow',
  '/About narrow',
  '/new wide',
  '/broken wide',
  '/broken narrow',
  '/same middle',
];

const PAGES_IN_ORDER = ['/', '/50%25_off', '/About', '/new', '/broken', '/same'];

describe('the list of a run', () => {
  it('stands by page, viewports together, and the page with the largest change comes first', async () => {
    const runId = await settledRun();
    const rows = await listReviewRows(world.ctx, viewer, runId, {}, ALL);
    const inOrder = PAGES_IN_ORDER.flatMap((path) => VIEWPORTS.map(({ name }) => `${path} ${name}`));
    expect(rows.map(nameOf)).toEqual(inOrder);
    expect(rows.map((row) => row.section)).toEqual(rows.map(findSection));
    expect(rows.filter(({ path }) => path === '/').map(({ heading }) => heading.section)).toEqual(
      VIEWPORTS.map(() => 'changed'),
    );
    const error = rows.find((row) => nameOf(row) === '/broken wide');
    expect(error).toMatchObject({ status: 'ERROR', error: 'It answered 500', approvedBy: null, currentFile: null });
  });

  it('has what is not counted under its cause', async () => {
    const runId = await settledRun('COMPLETED', {});
    for (const [path, cause] of Object.entries({ '/new': 'BEHIND', '/About': 'DRIFT', '/broken': 'DRIFT' } as const)) {
      await world.db('page_results').where({ test_run_id: runId, path }).update({ cause, status: 'FAIL' });
    }
    const { groups: main, folded } = await listReviewGroups(world.ctx, viewer, runId, {}, { ...ALL, folded: 10 });
    expect(main.every(({ heading }) => heading.section !== 'uncounted')).toBe(true);
    const uncounted = folded.find(({ section }) => section === 'uncounted');
    expect(uncounted?.groups.map(({ path, heading }) => [path, heading.cause])).toEqual([
      ['/About', 'DRIFT'],
      ['/broken', 'DRIFT'],
      ['/new', 'BEHIND'],
    ]);
  });

  it('is ranked by the database as by the rule', async () => {
    const runId = await settledRun();
    for (const status of RESULT_STATUSES) {
      for (const isNew of [true, false]) {
        for (const cause of [null, 'CHANGE', 'DRIFT'] as const) {
          await world.db('page_results').where({ test_run_id: runId }).update({ status, is_new: isNew, cause });
          const ranks = await world.db('page_results').where({ test_run_id: runId }).distinct('review_rank');
          expect(ranks).toEqual([{ reviewRank: REVIEW_SECTIONS.indexOf(findSection({ status, isNew, cause })) }]);
        }
      }
    }
  });

  it('can be of one reason', async () => {
    const runId = await settledRun();
    const drifted = { path: '/About', viewport: 'narrow' };
    await world
      .db('page_results')
      .where({ test_run_id: runId, ...drifted })
      .update({ cause: 'DRIFT', status: 'FAIL' });
    expect(await names(runId, { cause: 'DRIFT' })).toEqual(['/About narrow']);
    expect(await names(runId, { cause: 'CHANGE' })).toEqual(['/ wide', '/ middle', '/50%25_off narrow']);
    expect((await readRunOverview(world.ctx, viewer, runId)).causes).toEqual([{ cause: 'DRIFT', results: 1 }]);
  });

  it('comes in parts that make up the whole', async () => {
    const runId = await settledRun();
    const whole = await names(runId);
    const parts = [];
    for (let offset = 0; offset < whole.length; offset += 4) parts.push(await names(runId, {}, { limit: 4, offset }));
    expect(parts.flat()).toEqual(whole);
    expect(await names(runId, {}, { limit: 4, offset: 1_000 })).toEqual([]);
  });

  it('keeps its order when something is approved, and says who did it', async () => {
    const runId = await settledRun('COMPLETED', { ...SETTLED, '/same middle': { status: 'PASS' } });
    const before = await names(runId);
    const rows = await listReviewRows(world.ctx, viewer, runId, {}, ALL);
    await approveRun(world.ctx, viewer, runId, { resultIds: [rows[4]?.id ?? ''] });
    expect(await names(runId)).toEqual(before);
    const after = await listReviewRows(world.ctx, viewer, runId, {}, ALL);
    const { id, name, email, image } = viewer;
    expect(after[4]).toMatchObject({ approved: true, approvedBy: { id, name, email, image } });
    expect(after[4]?.approvedAt).toBeInstanceOf(Date);
  });

  it.each<[ReviewFilter, string[]]>([
    [{ section: 'changed' }, IN_ORDER.slice(0, 4)],
    [{ section: 'error' }, IN_ORDER.slice(5, 7)],
    [{ section: 'cancelled' }, []],
    [{ section: 'changed', viewport: 'narrow' }, ['/50%25_off narrow', '/About narrow']],
    [{ search: 'ABOUT', section: 'changed' }, ['/About narrow']],
    [{ search: '%', section: 'changed' }, ['/50%25_off narrow']],
    [{ search: '_', section: 'changed' }, ['/50%25_off narrow']],
    [{ search: '\\' }, []],
    [{ search: 'a\u0000' }, []],
    [{ viewport: '\u0000' }, []],
    [{ unapproved: true }, IN_ORDER.slice(0, 5)],
  ])('under %j is %j', async (filter, expected) => {
    const runId = await settledRun();
    expect(await names(runId, filter)).toEqual(expected);
  });

  it('calls unapproved what an approval would take', async () => {
    const runId = await settledRun('COMPLETED', { ...SETTLED, '/same wide': { status: 'FAIL', currentFile: null } });
    const { run, results } = await readRun(world.ctx, viewer, runId, 'suite.read');
    for (const runType of ['MANUAL', 'BRANCH'] as const) {
      await world.db('test_runs').where({ id: runId }).update({ run_type: runType });
      const rows = await listReviewRows(world.ctx, viewer, runId, { unapproved: true }, ALL);
      const approvable = results.filter((result) => isApprovable({ ...run, runType }, result));
      expect(rows.map(nameOf).sort()).toEqual(approvable.map(nameOf).sort());
      const overview = await readRunOverview(world.ctx, viewer, runId);
      expect(overview.unapproved).toBe(approvable.length);
    }
  });

  it('is not there for a stranger', async () => {
    const runId = await settledRun();
    const stranger = await newViewer(world);
    const missing = { kind: 'not_found' };
    await expect(listReviewRows(world.ctx, stranger, runId, {}, ALL)).rejects.toMatchObject(missing);
    await expect(listReviewGroups(world.ctx, stranger, runId, {}, ALL)).rejects.toMatchObject(missing);
    await expect(readRunOverview(world.ctx, stranger, runId)).rejects.toMatchObject(missing);
  });
});

describe('the pages of a run', () => {
  it('come in the order of their best-placed result, each with its viewports in order', async () => {
    const runId = await settledRun();
    await world.db('site_pages').where({ test_suite_id: suite.id, path: '/' }).update({ title: '<script>' });
    const { groups, totalGroups } = await listReviewGroups(world.ctx, viewer, runId, {}, ALL);
    expect(totalGroups).toBe(PATHS.length);
    expect(groups.map(({ path, heading }) => [path, heading.section])).toEqual([
      ['/', 'changed'],
      ['/50%25_off', 'changed'],
      ['/About', 'changed'],
      ['/new', 'new'],
      ['/broken', 'error'],
      ['/same', 'pending'],
    ]);
    expect(groups[0]?.title).toBe('<script>');
    expect(groups[0]?.rows.map((row) => row.viewport)).toEqual(['wide', 'narrow', 'middle']);
  });

  it('come in parts, with only what the filter lets through', async () => {
    const runId = await settledRun();
    const filter: ReviewFilter = { section: 'changed' };
    const part = { limit: 2, offset: 1 };
    const { groups, totalGroups } = await listReviewGroups(world.ctx, viewer, runId, filter, part);
    expect(totalGroups).toBe(3);
    expect(groups.map(({ path, rows }) => [path, rows.map((row) => row.viewport)])).toEqual([
      ['/50%25_off', ['narrow']],
      ['/About', ['narrow']],
    ]);
  });

  it('stay when the page itself was deleted since', async () => {
    const runId = await settledRun();
    await world.db('site_pages').where({ test_suite_id: suite.id, path: '/new' }).delete();
    const { groups } = await listReviewGroups(world.ctx, viewer, runId, { section: 'new' }, ALL);
    expect(groups[0]).toMatchObject({ path: '/new', title: null, pageId: null });
    const page = { test_suite_id: suite.id, owner_id: suite.userId, path: '/new', tracked: true };
    await world.db('site_pages').insert(page);
  });
});

describe('the overview of a run', () => {
  it('counts its sections without reading the results', async () => {
    const runId = await settledRun();
    const overview = await readRunOverview(world.ctx, viewer, runId);
    expect(overview.counts).toEqual({
      changed: 4,
      new: 1,
      error: 2,
      pending: 1,
      uncounted: 0,
      passed: 10,
      cancelled: 0,
    });
    expect(overview).toMatchObject({ total: 18, settled: 17, unapproved: 5, undoable: 0, errorPaths: 1 });
    expect(overview.viewports).toEqual(['wide', 'narrow', 'middle']);
    expect(overview).toMatchObject({ secondsLeft: null, hasEarlierApprovalOfMine: false });
    expect(await listApprovers(world.ctx, overview)).toEqual([]);
  });

  it('tells the time left only while the run is in flight', async () => {
    const runId = await settledRun('RUNNING');
    const started = new Date(Date.now() - 17_000);
    await world.db('test_runs').where({ id: runId }).update({ started_at: started });
    const clock = { now: () => new Date(started.getTime() + 17_000) };
    expect((await readRunOverview({ ...world.ctx, clock }, viewer, runId)).secondsLeft).toBe(1);
  });

  it('names those who approved, and offers no undo where versions were made at once', async () => {
    const runId = await settledRun('COMPLETED', { '/ wide': changed(1), '/ narrow': changed(2) });
    await approveRun(world.ctx, viewer, runId, {});
    const overview = await readRunOverview(world.ctx, viewer, runId);
    expect(await listApprovers(world.ctx, overview)).toEqual([
      { user: expect.objectContaining({ id: viewer.id }), results: 2, lastAt: expect.any(Date) },
    ]);
    expect(overview).toMatchObject({ unapproved: 0, undoable: 0 });
  });
});

describe('one result in the list', () => {
  async function around(runId: string, name: string, filter: ReviewFilter = {}) {
    const { results } = await readRun(world.ctx, viewer, runId, 'suite.read');
    const nameById = new Map(results.map((result) => [result.id, nameOf(result)]));
    const id = results.find((result) => nameOf(result) === name)?.id ?? '';
    const found = await readReviewResult(world.ctx, viewer, runId, id, filter);
    const neighbors = Object.fromEntries(
      Object.entries(found.neighbors).map(([way, to]) => [way, to === null ? null : nameById.get(to)]),
    );
    return { ...found, neighbors };
  }

  it('knows its place, its neighbors and whose screenshots come next', async () => {
    const runId = await settledRun();
    const first = await around(runId, '/ wide');
    expect(first).toMatchObject({ place: 1, total: 18, inMain: 18, result: { baselineVersion: null } });
    expect(first.neighbors).toEqual({
      previous: null,
      next: '/ narrow',
      previousLoud: null,
      nextLoud: '/ middle',
    });
    expect(first.ahead).toHaveLength(1);
    const error = await around(runId, '/broken wide');
    expect(error.place).toBe(13);
    expect(error.neighbors).toEqual({
      previous: '/new middle',
      next: '/broken narrow',
      previousLoud: '/new wide',
      nextLoud: '/broken narrow',
    });
  });

  it('leads to every other, one after another', async () => {
    const runId = await settledRun();
    const whole = await listReviewRows(world.ctx, viewer, runId, {}, ALL);
    const walked: string[] = [];
    for (let id: string | null = whole[0]?.id ?? null; id !== null;) {
      walked.push(id);
      const { neighbors, place } = await readReviewResult(world.ctx, viewer, runId, id, {});
      expect([place, neighbors.previous]).toEqual([walked.length, walked.at(-2) ?? null]);
      id = neighbors.next;
    }
    expect(walked).toEqual(whole.map((row) => row.id));
  });

  it.each<ReviewFilter>([
    {},
    { section: 'changed' },
    { section: 'passed' },
    { viewport: 'wide' },
    { search: 'o' },
    { unapproved: true },
  ])('has the surroundings that the list under %j says', async (filter) => {
    const runId = await settledRun('COMPLETED', { ...SETTLED, '/same middle': { status: 'PASS' } });
    const all = await listReviewRows(world.ctx, viewer, runId, {}, ALL);
    const list = await listReviewRows(world.ctx, viewer, runId, filter, ALL);
    const open = await listReviewRows(world.ctx, viewer, runId, { ...filter, unapproved: true }, ALL);
    const placeOf = new Map(all.map(({ id }, place) => [id, place]));
    const isBehind = (one: ReviewRow, other: ReviewRow) => (placeOf.get(one.id) ?? 0) > (placeOf.get(other.id) ?? 0);
    const loud = list.filter(({ section }) => !isQuiet(section));
    for (const row of all) {
      const found = await readReviewResult(world.ctx, viewer, runId, row.id, filter);
      const ahead = (rows: ReviewRow[]) => rows.filter((each) => isBehind(each, row));
      const behind = (rows: ReviewRow[]) => rows.filter((each) => isBehind(row, each));
      const [next] = [...ahead(open), ...behind(open)];
      expect(found).toMatchObject({
        place: list.some(({ id }) => id === row.id) ? list.findIndex(({ id }) => id === row.id) + 1 : null,
        total: list.length,
        neighbors: {
          previous: behind(list).at(-1)?.id ?? null,
          next: ahead(list)[0]?.id ?? null,
          previousLoud: behind(loud).at(-1)?.id ?? null,
          nextLoud: ahead(loud)[0]?.id ?? null,
        },
        nextUnapproved: next?.id ?? null,
      });
      const files = ahead(list)
        .slice(0, 1)
        .flatMap((each) => [each.baselineFile, each.currentFile])
        .filter((file) => file !== null);
      expect(found.ahead).toEqual(files);
    }
  });

  it('leads nobody on to an approval who may not approve, or while nothing can be', async () => {
    const runId = await settledRun();
    const reader = await newViewer(world);
    await shareSuite(world.ctx, viewer, suite, { userId: reader.id, role: 'VIEWER' });
    const [first] = await listReviewRows(world.ctx, viewer, runId, {}, ALL);
    const read = async (by: Viewer) => readReviewResult(world.ctx, by, runId, first?.id ?? '', {});
    expect((await read(viewer)).nextUnapproved).not.toBeNull();
    expect((await read(reader)).nextUnapproved).toBeNull();
    await world.db('test_runs').where({ id: runId }).update({ status: 'RUNNING' });
    expect((await read(viewer)).nextUnapproved).toBeNull();
  });

  it('leads on from where it was when the filter no longer lets it through', async () => {
    const runId = await settledRun('COMPLETED', { ...SETTLED, '/same middle': { status: 'PASS' } });
    const rows = await listReviewRows(world.ctx, viewer, runId, { unapproved: true }, ALL);
    // An earlier test changed the baseline, so approving reads both screenshots, which do not exist.
    const ctx = { ...world.ctx, storage: { ...world.ctx.storage, get: async () => null } };
    await approveRun(ctx, viewer, runId, { resultIds: [rows[2]?.id ?? ''] });
    const approved = await around(runId, '/50%25_off narrow', { unapproved: true });
    expect(approved).toMatchObject({ place: null, total: 4, result: { approvedBy: { id: viewer.id } } });
    expect(approved.neighbors).toMatchObject({ previous: '/ middle', next: '/About narrow' });
  });

  it('stays within the filter', async () => {
    const runId = await settledRun();
    const error = await around(runId, '/broken wide', { section: 'error' });
    expect(error).toMatchObject({ place: 1, total: 2, inMain: 2 });
    expect(error.neighbors).toEqual({
      previous: null,
      next: '/broken narrow',
      previousLoud: null,
      nextLoud: '/broken narrow',
    });
  });

  it('is not found in another run', async () => {
    const [runId, other] = [await settledRun(), await settledRun()];
    const { results } = await readRun(world.ctx, viewer, other, 'suite.read');
    const read = readReviewResult(world.ctx, viewer, runId, results[0]?.id ?? '', {});
    await expect(read).rejects.toMatchObject({ kind: 'not_found' });
  });
});

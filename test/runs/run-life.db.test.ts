import { afterAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../src/db/database.ts';
import type { PullRequestHead } from '../../src/pull-requests/pull-request-run.ts';
import { startPullRequestRun } from '../../src/pull-requests/start-pull-request-run.ts';
import { carryOverApprovals } from '../../src/review/approval/carry-over.ts';
import { finishRun } from '../../src/runs/end-run.ts';
import { listNewestRuns, listRuns } from '../../src/runs/list/list-runs.ts';
import type { RunFilter } from '../../src/runs/list/run-list.ts';
import { settleResult } from '../../src/runs/page-jobs/compare-page.ts';
import { giveUpResult } from '../../src/runs/page-jobs/free-pages.ts';
import { rerunEveryError } from '../../src/runs/rerun-errors.ts';
import { nameRun } from '../../src/runs/run-name.ts';
import { sumResults } from '../../src/runs/run.ts';
import { openRun } from '../../src/runs/start-run.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { createTestDatabase } from '../support/database.ts';
import { approveRun, cancelRun, readLogs, readRun, rerunErrors, startRun, updateSuite } from '../support/requests.ts';
import { finishedRun, newSuite, newViewer, screenshot, worldOn } from '../support/world.ts';

const database = await createTestDatabase();
const world = worldOn(database.db);
afterAll(() => database.drop());

const TWO = {
  viewports: [
    { name: 'desktop', width: 800, height: 600 },
    { name: 'mobile', width: 375, height: 812 },
  ],
  screenshotConcurrency: 3,
};

const draftOf = ({ id, baseUrl, config }: SuiteForViewer) =>
  ({
    testSuiteId: id,
    runType: 'MANUAL',
    targetBaseUrl: baseUrl,
    buildId: null,
    config,
    trigger: 'USER',
    tokenName: null,
  }) as const;

const HEAD = {
  owner: 'acme',
  repo: 'site',
  title: null,
  headBranch: 'topic',
  baseBranch: 'main',
  installationId: 1,
};

const startPull = (suite: SuiteForViewer, head: PullRequestHead) => {
  const linked = { suite: { ...suite, codehost: head }, checkName: 'Pixelgate' };
  return inTransaction(world.db, (trx) => startPullRequestRun(trx, world.ctx, linked, head, []));
};

const queued = (name: string) =>
  world.db('graphile_worker.jobs').where({ task_identifier: name }).select<object[]>('id');

describe('the name of a run', () => {
  it('has a number of its suite, without gaps or doubles, whatever starts at the same time', async () => {
    const viewer = await newViewer(world);
    const [suite, other] = [await newSuite(world, viewer, ['/']), await newSuite(world, viewer, ['/'])];
    const starts = Array.from({ length: 6 }, async (_, at) => startRun(world.ctx, viewer, at % 2 ? suite : other, {}));
    await Promise.all(starts);
    await expect(
      inTransaction(world.db, async (trx) => {
        await openRun(trx, { ...draftOf(suite), startedBy: viewer.id });
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    const again = async () => startPull(suite, { ...HEAD, number: 7, headSha: 'a'.repeat(40) });
    expect((await Promise.all([again(), again(), again()])).filter((run) => run !== null)).toHaveLength(1);
    for (const each of [suite, other]) {
      const { runs } = await listRuns(world.ctx, { suite: each }, {}, { limit: 9 });
      const numbers = runs.map((run) => run.number).toSorted((one, other) => one - other);
      expect(numbers).toEqual(each === suite ? [1, 2, 3, 4] : [1, 2, 3]);
    }
  });

  it('is found by its number, its commit, its pull request, and words of its branch and title', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/']);
    await startRun(world.ctx, viewer, suite, {});
    const preview = {
      targetBaseUrl: 'http://preview.test',
      branch: 'feature/Login-form',
      headSha: 'c0ffee'.padEnd(40, '0'),
    };
    const branch = await startRun(world.ctx, viewer, suite, { ...preview, message: 'Bigger buttons\n\nand more' });
    const head = { ...HEAD, number: 12, title: 'Fix the größe of headers', headSha: 'b'.repeat(40) };
    const pull = await startPull(suite, head);
    const find = async (filter: RunFilter) => {
      const part = { limit: 5 };
      const ofSuite = await listRuns(world.ctx, { suite }, filter, part);
      const ofAll = await listRuns(world.ctx, { readableBy: viewer }, filter, part);
      expect(ofAll).toMatchObject({ total: ofSuite.total, runs: ofSuite.runs.map(({ id }) => ({ id })) });
      return ofSuite.runs.map(({ id }) => id);
    };
    for (const search of ['login', 'ogin', 'FEATURE/login', 'c0ffee', '#2', 'buttons'])
      expect(await find({ search })).toEqual([branch.id]);
    for (const search of ['#12', '12', 'größe head', 'topic']) expect(await find({ search })).toEqual([pull]);
    for (const search of ['nigol', 'login header', '#7', "'", '!']) expect(await find({ search })).toEqual([]);
    expect(await find({ branch: 'feature/Login-form' })).toEqual([branch.id]);
    expect(await find({ startedById: viewer.id, search: 'c0ffee' })).toEqual([branch.id]);
    expect(await find({ startedById: suite.id })).toEqual([]);
    expect(nameRun((await readRun(world.ctx, viewer, pull ?? '', 'suite.read')).run)).toBe(
      '#3 Pull request #12: Fix the größe of headers',
    );
  });
});

describe('NEW pages', () => {
  const statuses = async (suite: { id: string }) =>
    (await world.db('site_pages').where({ test_suite_id: suite.id }).orderBy('path').select('status')).map(
      ({ status }: { status: string }) => status,
    );

  it('are acknowledged when a second run has captured them, or when somebody approves them', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a', '/b']);
    await world.db('site_pages').where({ test_suite_id: suite.id }).update({ status: 'NEW' });
    const broken = (path: string) => {
      if (path === '/b') throw new Error('down');
      return 'a';
    };
    await finishedRun(world, viewer, suite, broken);
    expect(await statuses(suite)).toEqual(['NEW', 'NEW']);
    await finishedRun(world, viewer, suite, broken);
    expect(await statuses(suite)).toEqual(['ACTIVE', 'NEW']);
    const { run } = await finishedRun(world, viewer, suite, () => 'a', { targetBaseUrl: 'http://preview.test' });
    expect(await statuses(suite)).toEqual(['ACTIVE', 'NEW']);
    await approveRun(world.ctx, viewer, run.id, {});
    expect(await statuses(suite)).toEqual(['ACTIVE', 'ACTIVE']);
  });
});

describe('starting a run', () => {
  it('makes a PENDING result for each tracked page and viewport, and as many slots as the suite has, at once', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a', '/b', '/c', '/d'], TWO);
    const before = (await queued('capture-suite')).length;
    const { id } = await startRun(world.ctx, viewer, suite, {});
    const { run, results } = await readRun(world.ctx, viewer, id, 'suite.read');
    expect(run).toMatchObject({ status: 'PENDING', runType: 'MANUAL', git: null, reviewState: 'NOT_REQUIRED' });
    expect(results.map((result) => `${result.path} ${result.viewport} ${result.status}`)).toEqual([
      '/a desktop PENDING',
      '/a mobile PENDING',
      '/b desktop PENDING',
      '/b mobile PENDING',
      '/c desktop PENDING',
      '/c mobile PENDING',
      '/d desktop PENDING',
      '/d mobile PENDING',
    ]);
    expect((await queued('capture-suite')).length - before).toBe(3);
    await startRun(world.ctx, viewer, suite, {});
    expect((await queued('capture-suite')).length - before).toBe(3);
  });

  it('maps the pages onto the target of a BRANCH run', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a?x=1']);
    const { id } = await startRun(world.ctx, viewer, suite, {
      targetBaseUrl: 'http://preview.test:81/pr',
      branch: 'b',
    });
    const { run, results } = await readRun(world.ctx, viewer, id, 'suite.read');
    expect(run.runType).toBe('BRANCH');
    expect(run.git).toEqual({ branch: 'b', previewUrl: 'http://preview.test:81/pr' });
    expect(results.map((result) => result.url)).toEqual(['http://preview.test:81/pr/a?x=1']);
  });

  it.each([
    [{ runType: 'PR' as const }, 'runType'],
    [{ runType: 'BRANCH' as const }, 'targetBaseUrl'],
    [{ runType: 'MANUAL' as const, targetBaseUrl: 'http://preview.test' }, 'targetBaseUrl'],
    [{ targetBaseUrl: 'ftp://preview.test' }, 'targetBaseUrl'],
    [{ targetBaseUrl: '/relative' }, 'targetBaseUrl'],
  ])('refuses %j and leaves nothing behind', async (input, field) => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/']);
    await expect(startRun(world.ctx, viewer, suite, input)).rejects.toMatchObject({
      kind: 'invalid',
      details: { issues: [{ path: field }] },
    });
    expect((await listRuns(world.ctx, { readableBy: viewer }, {}, { limit: 20, offset: 0 })).total).toBe(0);
  });

  it('refuses a suite with nothing tracked, or switched off', async () => {
    const viewer = await newViewer(world);
    const empty = await newSuite(world, viewer, []);
    await expect(startRun(world.ctx, viewer, empty, {})).rejects.toMatchObject({
      details: { code: 'no_tracked_pages' },
    });
    const suite = await newSuite(world, viewer, ['/']);
    const off = await updateSuite(world.ctx, viewer, suite.id, { isActive: false });
    await expect(startRun(world.ctx, viewer, off, {})).rejects.toMatchObject({ details: { code: 'suite_not_active' } });
    expect((await listRuns(world.ctx, { readableBy: viewer }, {}, { limit: 20, offset: 0 })).total).toBe(0);
  });

  it('leaves out a tracked page that was removed, with a warning and a count', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/', '/gone']);
    await world.db('site_pages').where({ test_suite_id: suite.id, path: '/gone' }).update({ status: 'REMOVED' });
    const { run, results } = await finishedRun(world, viewer, suite, () => 'a');
    expect(results).toHaveLength(1);
    expect(run).toMatchObject({ status: 'COMPLETED', metadata: { totalPages: 1, removedPages: 1 } });
    const warnings = (await readLogs(world.ctx, viewer, run.id)).filter((log) => log.type === 'WARNING');
    expect(warnings.map((log) => log.metadata)).toEqual([{ path: '/gone' }]);
  });

  it.each([
    ['nothing is tracked', {}, { tracked: false }, 'The suite has no tracked pages'],
    ['all is gone', {}, { status: 'REMOVED' }, 'The last crawl found none of the suite’s tracked pages'],
    [
      'rules exclude all',
      { rules: [{ paths: ['/**'], skip: true }] },
      { tracked: true },
      'Rules exclude all tracked pages of the suite',
    ],
  ])('is refused when %s', async (_, config, page, message) => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/'], config);
    await world.db('site_pages').where({ test_suite_id: suite.id }).update(page);
    await expect(startRun(world.ctx, viewer, suite, {})).rejects.toMatchObject({
      message,
      details: { code: 'no_tracked_pages' },
    });
  });

  it('goes by the config of its start', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/']);
    const { id } = await startRun(world.ctx, viewer, suite, {});
    await updateSuite(world.ctx, viewer, suite.id, { config: { threshold: 0.9 } });
    expect((await readRun(world.ctx, viewer, id, 'suite.read')).run.config.threshold).toBe(0);
  });
});

describe('a run that ends', () => {
  it('is COMPLETED with its counters, and seeds version 1 of what is new', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a', '/b'], TWO);
    const { run } = await finishedRun(world, viewer, suite, () => 'a');
    expect(run).toMatchObject({
      status: 'COMPLETED',
      reviewState: 'NOT_REQUIRED',
      metadata: { totalPages: 2, totalScreenshots: 4, passedTests: 4, failedTests: 0, errorTests: 0 },
    });
    expect(run.endedAt).not.toBeNull();
    const versions = await world.db('baseline_versions').where({ test_suite_id: suite.id }).select('version', 'source');
    expect(versions).toEqual(Array.from({ length: 4 }, () => ({ version: 1, source: 'INITIAL' })));
  });

  it('queues its finish exactly once, when the last result settles', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a', '/b', '/c', '/d'], TWO);
    const { id } = await startRun(world.ctx, viewer, suite, {});
    await world.db('test_runs').where({ id }).update({ status: 'RUNNING' });
    const { results } = await readRun(world.ctx, viewer, id, 'suite.read');
    const settlement = { status: 'PASS', isNew: true, currentFile: screenshot(suite, 'a') } as const;
    const finishJobs = () =>
      world
        .db('graphile_worker.jobs')
        .where({ key: `finish/${id}` })
        .select('id');
    await Promise.all(results.slice(1).map((result) => settleResult(world.ctx, result, settlement)));
    expect(await finishJobs()).toHaveLength(0);
    await Promise.all(results.map((result) => settleResult(world.ctx, result, settlement)));
    expect(await finishJobs()).toHaveLength(1);
    const progress = (await readLogs(world.ctx, viewer, id)).filter((log) => log.type === 'PROGRESS');
    expect(progress.map((log) => log.progress)).toEqual([12.5, 25, 37.5, 50, 62.5, 75, 87.5, 100]);
  });

  it('is FAILED when every page ended in an error, and only then', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a', '/b']);
    const allErrors = await finishedRun(world, viewer, suite, (path) => {
      throw new Error(`no ${path}`);
    });
    expect(allErrors.run).toMatchObject({ status: 'FAILED', metadata: { errorTests: 2 } });
    const oneError = await finishedRun(world, viewer, suite, (path) => {
      if (path === '/a') throw new Error('no');
      return 'a';
    });
    expect(oneError.run).toMatchObject({ status: 'COMPLETED', metadata: { errorTests: 1, passedTests: 1 } });
  });

  it('does not end while a result is pending, nor twice', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a']);
    const { id } = await startRun(world.ctx, viewer, suite, {});
    await world.db('test_runs').where({ id }).update({ status: 'RUNNING' });
    await finishRun(world.ctx, { runId: id }, carryOverApprovals);
    expect((await readRun(world.ctx, viewer, id, 'suite.read')).run.status).toBe('RUNNING');
    const [pending] = (await readRun(world.ctx, viewer, id, 'suite.read')).results;
    await giveUpResult(world.ctx, pending?.id ?? '');
    await finishRun(world.ctx, { runId: id }, carryOverApprovals);
    const ended = await readRun(world.ctx, viewer, id, 'suite.read');
    expect(ended.results[0]).toMatchObject({
      status: 'ERROR',
      error: 'The page could not be captured because the worker failed on every attempt',
    });
    await finishRun(world.ctx, { runId: id }, carryOverApprovals);
    expect((await readRun(world.ctx, viewer, id, 'suite.read')).run.endedAt).toEqual(ended.run.endedAt);
  });
});

describe('on a host whose clock is two hours behind', () => {
  it('a run does not end before it began', async () => {
    const late = worldOn(database.db);
    late.ctx.clock = { now: () => new Date(Date.now() - 7_200_000) };
    const viewer = await newViewer(late);
    const suite = await newSuite(late, viewer, ['/a']);
    const { id } = await startRun(late.ctx, viewer, suite, {});
    const run = await cancelRun(late.ctx, viewer, id);
    expect(run.endedAt?.getTime()).toBeGreaterThanOrEqual(run.createdAt.getTime());
  });
});

describe('cancelling', () => {
  it('settles what was pending as CANCELLED and lets nothing be settled after', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a', '/b']);
    const { id } = await startRun(world.ctx, viewer, suite, {});
    const [first] = (await readRun(world.ctx, viewer, id, 'suite.read')).results;
    const run = await cancelRun(world.ctx, viewer, id);
    const { results } = await readRun(world.ctx, viewer, id, 'suite.read');
    expect(run.status).toBe('CANCELLED');
    expect(run.metadata).toMatchObject({ reason: 'cancelled by a user' });
    expect(results.map((result) => result.status)).toEqual(['CANCELLED', 'CANCELLED']);
    if (first === undefined) throw new Error('the run has no result');
    expect(await settleResult(world.ctx, first, { status: 'PASS', currentFile: 'x' })).toBe(false);
    await expect(cancelRun(world.ctx, viewer, id)).rejects.toMatchObject({ details: { code: 'run_finished' } });
  });
});

describe('rerunning errors', () => {
  it('takes only the errors of that page, and finishes the run anew', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a', '/b'], TWO);
    let failing = true;
    const { run } = await finishedRun(world, viewer, suite, (path) => {
      if (path === '/a' && failing) throw new Error('down');
      return 'a';
    });
    failing = false;
    expect(await rerunErrors(world.ctx, viewer, run.id, { url: 'http://site.test/a#part' })).toBe(2);
    const again = await readRun(world.ctx, viewer, run.id, 'suite.read');
    expect(again.run).toMatchObject({ status: 'RUNNING', endedAt: null });
    expect(again.results.map((result) => `${result.path} ${result.status} ${result.error}`)).toEqual([
      '/a PENDING null',
      '/a PENDING null',
      '/b PASS null',
      '/b PASS null',
    ]);
    await expect(rerunErrors(world.ctx, viewer, run.id, { url: 'http://site.test/b' })).rejects.toMatchObject({
      details: { code: 'nothing_to_rerun' },
    });
  });

  it('does nothing from GitHub while the suite is switched off', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a']);
    const { run } = await finishedRun(world, viewer, suite, () => {
      throw new Error('down');
    });
    await updateSuite(world.ctx, viewer, suite.id, { isActive: false });
    expect(await inTransaction(world.db, async (trx) => rerunEveryError(trx, run.id))).toBe(0);
    expect((await readRun(world.ctx, viewer, run.id, 'suite.read')).run.status).toBe('FAILED');
    await updateSuite(world.ctx, viewer, suite.id, { isActive: true });
    expect(await inTransaction(world.db, async (trx) => rerunEveryError(trx, run.id))).toBe(1);
  });
});

describe('listing runs', () => {
  it('shows a viewer the runs of their own suites only, newest first, in pages', async () => {
    const viewer = await newViewer(world);
    const stranger = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/']);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await startRun(world.ctx, viewer, suite, {})).id);
    const { runs, total } = await listRuns(world.ctx, { readableBy: viewer }, {}, { limit: 2, offset: 1 });
    expect(total).toBe(3);
    expect(runs.map((run) => run.id)).toEqual(ids.slice(1));
    expect(runs[0]?.testSuite.name).toBe('Site');
    expect(runs.map(sumResults)).toEqual([1, 1]);
    expect((await listRuns(world.ctx, { readableBy: stranger }, {}, { limit: 20, offset: 0 })).total).toBe(0);
    const other = await newSuite(world, viewer, ['/']);
    await startRun(world.ctx, viewer, other, {});
    expect(await listRuns(world.ctx, { suite }, {}, { limit: 2, offset: 1 })).toEqual({ runs, total, next: null });
    const bySuite = await listNewestRuns(world.ctx, [suite], 20);
    expect(bySuite.get(suite.id)).toMatchObject({ count: 3, runs: ids.map((id) => ({ id })) });
  });
});

describe('polling a log', () => {
  it('returns only what came after a line', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a', '/b']);
    const { run } = await finishedRun(world, viewer, suite, () => 'a');
    const all = await readLogs(world.ctx, viewer, run.id);
    const third = all[2];
    expect(await readLogs(world.ctx, viewer, run.id, third?.id)).toEqual(all.slice(3));
    expect(await readLogs(world.ctx, viewer, run.id, all.at(-1)?.id)).toEqual([]);
    const other = await finishedRun(world, viewer, suite, () => 'a');
    await expect(readLogs(world.ctx, viewer, other.run.id, third?.id)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

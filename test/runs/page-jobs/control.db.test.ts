import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { finishRun } from '../../../src/runs/end-run.ts';
import { judgeRun } from '../../../src/runs/judging/judge-runs.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { comparePage } from '../../../src/runs/page-jobs/compare-page.ts';
import { giveUpResult } from '../../../src/runs/page-jobs/free-pages.ts';
import { captureControl } from '../../../src/runs/page-jobs/take-control.ts';
import { getRunFor } from '../../../src/runs/read-run.ts';
import { listChangesOfResult } from '../../../src/runs/results/read-changes.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import { readDrift } from '../../../src/runs/results/site-notice-store.ts';
import type { SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';
import { approveRun, readLogs, startRun } from '../../support/requests.ts';
import { SITE, type OwnSuite } from '../../support/world.ts';
import { finishOn, marked, onlyPage, onlyResult, runOn, seeing, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

/** Rows that are marked: by the preview, and by the site since its baseline. */
const [OWN, DRIFTED] = [20, 120];
const BASELINE = marked([]);

let page: { viewer: Viewer; suite: OwnSuite };
async function withBaseline(config: SuiteConfigInput = {}): Promise<void> {
  page = await onlyPage(world, config);
  await runOn(world, page, BASELINE);
}
beforeEach(async () => withBaseline());

const start = { targetBaseUrl: 'http://preview.test' };

/** A run of a preview that looks like this, while the site looks like that. */
const preview = async (png: Buffer, site?: Buffer) => runOn(world, page, png, { start, ...(site && { site }) });

const gate = async ({ testRunId }: PageResult) =>
  (await getRunFor(world.ctx, page.viewer, testRunId, 'suite.read')).reviewState;

const log = async ({ testRunId }: PageResult) =>
  (await readLogs(world.ctx, page.viewer, testRunId)).map(({ message }) => message).join('\n');

describe('what differs on a preview', () => {
  it('is its own where the site still looks like the baseline', async () => {
    const result = await preview(marked([OWN]), BASELINE);
    expect(result).toMatchObject({ status: 'FAIL', cause: 'CHANGE', drifted: false });
    expect(result.controlFile).toBe(result.baselineFile);
    expect(await gate(result)).toBe('PENDING');
  });

  it('has drifted where the site looks like the preview: it does not hold the gate', async () => {
    const result = await preview(marked([DRIFTED]), marked([DRIFTED]));
    expect(result).toMatchObject({ status: 'FAIL', cause: 'DRIFT', drifted: true });
    expect(result.controlFile).toBe(result.currentFile);
    expect(await gate(result)).toBe('NOT_REQUIRED');
    expect(await log(result)).toContain('which is not counted: drifted');
  });

  it('is told apart where the site has changed, too', async () => {
    const result = await preview(marked([OWN, OWN + 1, DRIFTED]), marked([DRIFTED]));
    expect(result).toMatchObject({ status: 'FAIL', cause: 'CHANGE', drifted: true });
    const [own, shared] = result.diffRegions ?? [];
    expect(own).toMatchObject({ y: OWN });
    expect(own?.drift).toBeUndefined();
    expect(shared).toMatchObject({ y: DRIFTED, drift: true });
    expect((await listChangesOfResult(world.ctx, result)).map(({ drift }) => drift)).toEqual([false, true]);
    expect(await gate(result)).toBe('PENDING');
  });

  it('has drifted where the site has all of it, and more', async () => {
    expect(await preview(marked([DRIFTED]), marked([DRIFTED, 180]))).toMatchObject({ cause: 'DRIFT' });
  });

  it('is its own where the site changed elsewhere', async () => {
    const result = await preview(marked([OWN]), marked([DRIFTED]));
    expect(result).toMatchObject({ cause: 'CHANGE', drifted: true });
    expect(result.diffRegions?.some(({ drift }) => drift)).toBe(false);
  });

  it('is its own where the site has not taken up what was promoted from a preview', async () => {
    const promoted = await preview(marked([OWN]), BASELINE);
    await approveRun(world.ctx, page.viewer, promoted.testRunId, {});
    expect(await preview(BASELINE, BASELINE)).toMatchObject({ cause: 'CHANGE', drifted: false });
  });

  it('is counted for the suite until its site is run', async () => {
    const { testRunId } = await preview(marked([DRIFTED]), marked([DRIFTED]));
    expect(await readDrift(world.ctx.db, page.suite)).toEqual({ runId: testRunId, pages: 1 });
    await runOn(world, page, marked([DRIFTED]));
    expect(await readDrift(world.ctx.db, page.suite)).toBeNull();
  });

  it('stays drift when it is judged again', async () => {
    const result = await preview(marked([DRIFTED]), marked([DRIFTED]));
    await judgeRun(world.ctx, { runId: result.testRunId });
    expect(await onlyResult(world, page.viewer, result.testRunId)).toMatchObject({ cause: 'DRIFT', drifted: true });
  });

  it('does not count what the suite ignores on the site', async () => {
    await withBaseline({ rules: [{ paths: ['**'], ignoreBoxes: [{ x: 0, y: 110, width: 60, height: 20 }] }] });
    expect(await preview(marked([OWN]), marked([DRIFTED]))).toMatchObject({ cause: 'CHANGE', drifted: false });
  });
});

describe('a site that cannot be captured', () => {
  it('fails no result, and the log says why', async () => {
    const result = await preview(marked([OWN]));
    expect(result).toMatchObject({ status: 'FAIL', cause: 'CHANGE', controlFile: null, controlState: 'FAILED' });
    expect(await log(result)).toContain('could not be captured for comparison: The page answered 502 Bad Gateway');
  });

  it('is not tried for every page of a run', async () => {
    const { id } = await startRun(world.ctx, page.viewer, page.suite, start);
    await world.db.raw(
      `insert into page_results (test_run_id, position, url, path, viewport, status, control_state)
       select ?, 10 + number, 'http://preview.test/' || number, '/' || number, 'desktop', 'FAIL', 'FAILED'
       from generate_series(1, 5) as number`,
      [id],
    );
    const result = await finish(id, marked([OWN]), marked([OWN]));
    expect(result).toMatchObject({ cause: 'CHANGE', controlState: 'FAILED' });
    expect(await log(result)).toContain('it failed for other pages of this run');
  });
});

const job = { signal: new AbortController().signal };

/** Runs the jobs of a run's page, each as often as it takes. */
async function finish(runId: string, png: Buffer, site: Buffer): Promise<PageResult> {
  const ctx = seeing(world, png, { site }, false);
  const of = { runId, path: '/' };
  await capturePage(ctx, of, job);
  await comparePage(ctx, of);
  await captureControl(ctx, of, job);
  await comparePage(ctx, of);
  await finishRun(ctx, { runId }, async () => 0);
  return onlyResult(world, page.viewer, runId);
}

/** What may pass by a rule is compared before anybody asks the site. */
const COMPARED_FIRST = { rules: [{ paths: ['**'], ignoreBoxes: [{ x: 0, y: 190, width: 10, height: 10 }] }] };

/** The comparisons of a result that is worked on like this. */
async function countComparisons(png: Buffer, site: Buffer): Promise<number> {
  const { id: runId } = await startRun(world.ctx, page.viewer, page.suite, start);
  const sees = seeing(world, png, { site }, false);
  let comparisons = 0;
  const compareImages: typeof sees.compareImages = async (...of) => {
    comparisons += 1;
    return sees.compareImages(...of);
  };
  const ctx = { ...sees, compareImages };
  const of = { runId, path: '/' };
  for (let times = 0; times < 2; times += 1) {
    await capturePage(ctx, of, job);
    await captureControl(ctx, of, job);
    await comparePage(ctx, of);
  }
  expect(await onlyResult(world, page.viewer, runId)).not.toMatchObject({ status: 'PENDING' });
  return comparisons;
}

describe('a preview that shows something else', () => {
  it('is compared once, after the site was captured', async () => {
    expect(await countComparisons(marked([OWN]), BASELINE)).toBe(1);
  });

  it('is compared before that where a rule may let it pass, and then no control screenshot is taken', async () => {
    await withBaseline(COMPARED_FIRST);
    expect(await countComparisons(marked([OWN]), BASELINE)).toBe(2);
    await withBaseline({ failureThreshold: 50 });
    expect(await preview(marked([OWN]))).toMatchObject({ status: 'PASS', controlState: null });
  });

  it('is left as it was while the site is captured, and captured again by another worker', async () => {
    const { id: runId } = await startRun(world.ctx, page.viewer, page.suite, start);
    const ctx = seeing(world, marked([DRIFTED]), { site: marked([DRIFTED]) }, false);
    const dies: typeof ctx.browser.capture = async (request, isOver) => {
      if (request.url.startsWith(SITE)) throw new Error('The worker dies');
      return ctx.browser.capture(request, isOver);
    };
    const dying = { ...ctx, browser: { ...ctx.browser, capture: dies } };
    await expect(capturePage(dying, { runId, path: '/' }, job)).rejects.toThrow('The worker dies');
    expect(await onlyResult(world, page.viewer, runId)).toMatchObject({ status: 'PENDING', currentFile: null });
    await finishOn(world, page.viewer, runId, marked([DRIFTED]), { site: marked([DRIFTED]) });
    expect(await onlyResult(world, page.viewer, runId)).toMatchObject({ status: 'FAIL', cause: 'DRIFT' });
  });
});

describe('the jobs', () => {
  beforeEach(async () => withBaseline(COMPARED_FIRST));

  it('can each be delivered twice, and a comparison waits for the site', async () => {
    const { id: runId } = await startRun(world.ctx, page.viewer, page.suite, start);
    const ctx = seeing(world, marked([DRIFTED]), { site: marked([DRIFTED]) }, false);
    const of = { runId, path: '/' };
    await capturePage(ctx, of, job);
    await comparePage(ctx, of);
    await comparePage(ctx, of);
    expect(await onlyResult(world, page.viewer, runId)).toMatchObject({ status: 'PENDING', controlState: 'DUE' });
    expect(await world.db('graphile_worker.jobs').pluck('key')).toContain(`capture/${page.suite.id}/0`);
    await captureControl(ctx, of, job);
    const taken = await onlyResult(world, page.viewer, runId);
    expect(taken).toMatchObject({ status: 'PENDING', controlState: 'TAKEN' });
    await captureControl(ctx, of, job);
    expect(await onlyResult(world, page.viewer, runId)).toEqual(taken);
    await comparePage(ctx, of);
    expect(await onlyResult(world, page.viewer, runId)).toMatchObject({ status: 'FAIL', cause: 'DRIFT' });
  });

  it('that are given up leave a change', async () => {
    const { id: runId } = await startRun(world.ctx, page.viewer, page.suite, start);
    const ctx = seeing(world, marked([OWN]), {}, false);
    const of = { runId, path: '/' };
    await capturePage(ctx, of, job);
    await comparePage(ctx, of);
    await giveUpResult(ctx, (await onlyResult(world, page.viewer, runId)).id);
    await comparePage(ctx, of);
    expect(await onlyResult(world, page.viewer, runId)).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
  });
});

describe('no control screenshot is taken', () => {
  it('of a page that a run of the site itself captured', async () => {
    expect(await runOn(world, page, marked([OWN]))).toMatchObject({ cause: 'CHANGE', controlState: null });
    const own = { targetBaseUrl: `${SITE}/`, runType: 'BRANCH' as const };
    expect(await runOn(world, page, marked([OWN]), { start: own })).toMatchObject({ controlState: null });
  });

  it('of a page that does not differ, or whose difference has another reason', async () => {
    expect(await preview(BASELINE, marked([DRIFTED]))).toMatchObject({ status: 'PASS', controlState: null });
  });

  it('when the suite does not want one', async () => {
    await withBaseline({ control: false });
    const site = marked([DRIFTED]);
    expect(await preview(site, site)).toMatchObject({ cause: 'CHANGE', controlState: null });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { json } from '../../../src/db/json.ts';
import { collectStyles } from '../../../src/elements/element-styles.ts';
import { encodeElementMap } from '../../../src/elements/encode-element-map.ts';
import { carryOverApprovals } from '../../../src/review/approval/carry-over.ts';
import { countAsChange } from '../../../src/review/approval/decide.ts';
import { finishRun } from '../../../src/runs/end-run.ts';
import { ignoreChange, listIgnoredChanges, revokeIgnoredChange } from '../../../src/runs/judging/ignore-change.ts';
import { judgeRun, judgeSuite } from '../../../src/runs/judging/judge-runs.ts';
import { findDoubtedRuns, findRunsToJudge } from '../../../src/runs/judging/judged-run-store.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { getResultFor, getRunFor } from '../../../src/runs/read-run.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import type { PageRule } from '../../../src/suites/config/page-rule.ts';
import { approveRun, startRun, updateSuite } from '../../support/requests.ts';
import type { OwnSuite } from '../../support/world.ts';
import { marked, onlyPage, onlyResult, runOn, seeing, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

type Page = { viewer: Viewer; suite: OwnSuite };

/** A map with one element, around the marked row. */
const mapOf = async (row: number) =>
  encodeElementMap({
    elements: [
      {
        parent: -1,
        tag: 'p',
        id: 'clock',
        classes: [],
        attributes: {},
        role: '',
        name: '',
        text: '12:00',
        picture: null,
        box: [0, row - 5, 60, 10],
        styles: collectStyles(() => ''),
      },
    ],
    generated: [],
    fonts: {},
  });

/** Runs the jobs that a change of what is ignored queues. */
async function judgeAgain({ suite, viewer }: Page, result: PageResult): Promise<PageResult> {
  await judgeSuite(world.ctx, { suiteId: suite.id });
  await judgeRun(world.ctx, { runId: result.testRunId });
  return onlyResult(world, viewer, result.testRunId);
}

const setRules = async ({ suite, viewer }: Page, rules: PageRule[]) =>
  updateSuite(world.ctx, viewer, suite.id, { config: { rules } });

const gateOf = async ({ viewer }: Page, { testRunId }: PageResult) =>
  (await getRunFor(world.ctx, viewer, testRunId, 'suite.read')).reviewState;

const jobs = async () => (await world.db('graphile_worker.jobs').pluck('task_identifier')) as string[];

describe('a rule that ignores', () => {
  it('waits for the next attempt when the worker stops', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([20]), { elements: await mapOf(20) });
    const result = await runOn(world, page, marked([22]), { elements: await mapOf(22) });
    await setRules(page, [{ paths: ['**'], ignore: ['#clock'] }]);
    await judgeSuite(world.ctx, { suiteId: page.suite.id });
    const stopping = { signal: AbortSignal.abort(new Error('The worker is stopping')) };
    const of = { runId: result.testRunId };
    await expect(judgeRun(world.ctx, of, stopping)).rejects.toThrow('The worker is stopping');
    expect(await onlyResult(world, page.viewer, of.runId)).toMatchObject({ status: 'FAIL' });
    await judgeRun(world.ctx, of);
    expect(await onlyResult(world, page.viewer, of.runId)).toMatchObject({ status: 'PASS' });
  });

  it('an element applies to stored screenshots at once, and no more when it is gone', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([20]), { elements: await mapOf(20) });
    const result = await runOn(world, page, marked([22]), { elements: await mapOf(22) });
    expect(result).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
    await setRules(page, [{ paths: ['**'], ignore: ['#clock'] }]);
    expect(await jobs()).toContain('judge-suite');
    expect(await judgeAgain(page, result)).toMatchObject({ status: 'PASS', cause: 'IGNORED', diffScore: 0 });
    expect(await gateOf(page, result)).toBe('NOT_REQUIRED');
    await setRules(page, []);
    expect(await judgeAgain(page, result)).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
    expect(await gateOf(page, result)).toBe('PENDING');
  });

  it('a box leaves what is outside of it', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    const result = await runOn(world, page, marked([20, 150]));
    await setRules(page, [{ paths: ['/'], ignoreBoxes: [{ x: 0, y: 0, width: 60, height: 100 }] }]);
    const judged = await judgeAgain(page, result);
    expect(judged).toMatchObject({ status: 'FAIL', diffRegions: [{ x: 30, y: 150, width: 1, height: 1 }] });
  });

  it('counts again when it is gone, also where few other pixels differed and so passed', async () => {
    const ignoreBoxes = [{ x: 0, y: 0, width: 60, height: 100 }];
    const page = await onlyPage(world, { failureThreshold: 0.01, rules: [{ paths: ['/'], ignoreBoxes }] });
    await runOn(world, page, marked([]));
    const result = await runOn(world, page, marked([20, 150]));
    expect(result).toMatchObject({ status: 'PASS', cause: null });
    await setRules(page, []);
    expect(await findRunsToJudge(world.db, page.suite.id, 10)).toEqual([result.testRunId]);
    expect(await judgeAgain(page, result)).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
    expect(await gateOf(page, result)).toBe('PENDING');
  });

  it('counts again when it is gone, also where the other pixels differ on the site, too', async () => {
    const ignoreBoxes = [{ x: 0, y: 0, width: 60, height: 100 }];
    const page = await onlyPage(world, { rules: [{ paths: ['/'], ignoreBoxes }] });
    await runOn(world, page, marked([]));
    const start = { targetBaseUrl: 'https://preview.example.com' };
    const result = await runOn(world, page, marked([20, 150]), { start, site: marked([150]) });
    expect(result).toMatchObject({ status: 'FAIL', cause: 'DRIFT' });
    await setRules(page, []);
    expect(await findRunsToJudge(world.db, page.suite.id, 10)).toEqual([result.testRunId]);
    expect(await judgeAgain(page, result)).toMatchObject({ status: 'FAIL', cause: 'CHANGE', drifted: true });
    expect(await gateOf(page, result)).toBe('PENDING');
  });

  it('comes first to the newest runs of pull requests, however many other runs it concerns', async () => {
    const ignoreBoxes = [{ x: 0, y: 0, width: 60, height: 100 }];
    const page = await onlyPage(world, { rules: [{ paths: ['/'], ignoreBoxes }] });
    await runOn(world, page, marked([]));
    const start = { targetBaseUrl: 'https://preview.example.com' };
    const pushes = [
      await runOn(world, page, marked([20]), { start }),
      await runOn(world, page, marked([20]), { start }),
    ].map(({ testRunId }) => testRunId);
    await world
      .db('test_runs')
      .whereIn('id', pushes)
      .update({ run_type: 'PR', git_owner: 'acme', git_repo: 'site', git_pr_number: 7 });
    const { testRunId } = await runOn(world, page, marked([20]));
    const [first, last] = pushes;
    expect(await findRunsToJudge(world.db, page.suite.id, 10)).toEqual([last, testRunId, first]);
    await world
      .db('page_results')
      .whereIn('test_run_id', [...pushes, testRunId])
      .update({ cause: 'DRIFT' });
    expect(await findDoubtedRuns(world.db, page.suite.id, 10)).toEqual([last, testRunId, first]);
  });

  it('changes nothing about a result that a person approved', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    const result = await runOn(world, page, marked([20]));
    await approveRun(world.ctx, page.viewer, result.testRunId, {});
    await setRules(page, [{ paths: ['**'], ignoreBoxes: [{ x: 0, y: 0, width: 60, height: 200 }] }]);
    expect(await judgeAgain(page, result)).toMatchObject({ status: 'FAIL', cause: 'CHANGE', approved: true });
  });
});

describe('a change that is ignored', () => {
  const ignore = async ({ viewer }: Page, { id }: PageResult, expiresAt: Date | null = null) =>
    ignoreChange(world.ctx, await getResultFor(world.ctx, viewer, id, 'suite.approve'), {
      note: 'the weather',
      expiresAt,
    });

  it('opens the gate, also in later runs, and counts its uses', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    const result = await runOn(world, page, marked([20]));
    await ignore(page, result);
    expect(await judgeAgain(page, result)).toMatchObject({ status: 'FAIL', cause: 'IGNORED' });
    expect(await gateOf(page, result)).toBe('NOT_REQUIRED');
    const again = await runOn(world, page, marked([20]));
    expect(again).toMatchObject({ status: 'FAIL', cause: 'IGNORED' });
    const { items: changes } = await listIgnoredChanges(world.ctx, page.suite, { limit: 10 });
    expect(changes).toMatchObject([
      { path: '/', viewport: 'desktop', note: 'the weather', uses: 2, author: { id: page.viewer.id } },
    ]);
  });

  it('leaves another change of the page alone', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    await ignore(page, await runOn(world, page, marked([20])));
    expect(await runOn(world, page, marked([20, 21, 22]))).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
  });

  it('leaves the same change elsewhere on the page alone', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    await ignore(page, await runOn(world, page, marked([20])));
    expect(await runOn(world, page, marked([90]))).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
  });

  it('counts again when it is revoked, or has expired', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    const result = await runOn(world, page, marked([20]));
    const { id } = await ignore(page, result);
    await judgeAgain(page, result);
    await revokeIgnoredChange(world.ctx, page.suite, id);
    expect(await judgeAgain(page, result)).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
    expect(await gateOf(page, result)).toBe('PENDING');
    const { id: expiring, expiresAt } = await ignore(page, result, new Date(Date.now() + 60_000));
    const due = world.db('graphile_worker.jobs').where({ task_identifier: 'judge-suite' }).pluck('run_at');
    expect(await due).toContainEqual(expiresAt);
    expect(await judgeAgain(page, result)).toMatchObject({ cause: 'IGNORED' });
    await world
      .db('ignored_changes')
      .where({ id: expiring })
      .update({ expires_at: new Date(Date.now() - 1000) });
    expect(await judgeAgain(page, result)).toMatchObject({ cause: 'CHANGE' });
  });

  it('counts again for its run when a reviewer says so, however often it is judged, until it is ignored again', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    const result = await runOn(world, page, marked([20]));
    await ignore(page, result);
    await judgeAgain(page, result);
    await countAsChange(
      world.ctx,
      await getRunFor(world.ctx, page.viewer, result.testRunId, 'suite.approve'),
      result.id,
    );
    expect(await gateOf(page, result)).toBe('PENDING');
    expect(await judgeAgain(page, result)).toMatchObject({ cause: 'CHANGE' });
    expect(await gateOf(page, result)).toBe('PENDING');
    await ignore(page, result);
    expect(await judgeAgain(page, result)).toMatchObject({ cause: 'IGNORED' });
  });

  it('counts again in a run that was in flight when it was revoked', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    const { id } = await ignore(page, await runOn(world, page, marked([20])));
    const run = await startRun(world.ctx, page.viewer, page.suite, {});
    const ctx = seeing(world, marked([20]), {}, true);
    await capturePage(ctx, { runId: run.id, path: '/' }, { signal: new AbortController().signal });
    const result = await onlyResult(world, page.viewer, run.id);
    expect(result).toMatchObject({ status: 'FAIL', cause: 'IGNORED' });
    await revokeIgnoredChange(world.ctx, page.suite, id);
    await judgeSuite(world.ctx, { suiteId: page.suite.id });
    await world.db('graphile_worker._private_jobs').delete();
    await finishRun(ctx, { runId: run.id }, carryOverApprovals);
    expect(await jobs()).toContain('judge-run');
    await judgeRun(world.ctx, { runId: run.id });
    expect(await onlyResult(world, page.viewer, run.id)).toMatchObject({ cause: 'CHANGE' });
    expect(await gateOf(page, result)).toBe('PENDING');
  });

  it('applies to a pull request with rules of its own, until it is revoked', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    const start = { targetBaseUrl: 'https://preview.example.com' };
    const result = await runOn(world, page, marked([20]), { start });
    const change = { used: ['rules'], later: [], fromFork: false };
    await world
      .db('test_runs')
      .where({ id: result.testRunId })
      .update({ git_config_change: json(change) });
    const { id } = await ignore(page, result);
    await world.db('graphile_worker._private_jobs').delete();
    await judgeSuite(world.ctx, { suiteId: page.suite.id });
    expect(await jobs()).toEqual(['judge-run']);
    expect(await judgeAgain(page, result)).toMatchObject({ cause: 'IGNORED' });
    await revokeIgnoredChange(world.ctx, page.suite, id);
    await world.db('graphile_worker._private_jobs').delete();
    await judgeSuite(world.ctx, { suiteId: page.suite.id });
    expect(await jobs()).toEqual(['judge-run']);
  });
});

describe('a run in flight', () => {
  it('is judged again as soon as it has ended, once', async () => {
    const page = await onlyPage(world);
    const { id } = await startRun(world.ctx, page.viewer, page.suite, {});
    await world.db('graphile_worker._private_jobs').delete();
    await judgeRun(world.ctx, { runId: id });
    expect(await jobs()).toEqual([]);
    await world.db('page_results').where({ test_run_id: id }).update({ status: 'PASS' });
    await world.db('test_runs').where({ id }).update({ status: 'RUNNING' });
    await finishRun(world.ctx, { runId: id }, carryOverApprovals);
    expect((await jobs()).toSorted()).toEqual(['follow-baselines', 'judge-run', 'tell-event']);
    expect(await world.db('test_runs').where({ id }).first('judge_again')).toEqual({ judgeAgain: false });
  });
});

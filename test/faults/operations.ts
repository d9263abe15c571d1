import type { Viewer } from '../../src/auth/user.ts';
import type { WorkerContext } from '../../src/context.ts';
import { promotePullRequest } from '../../src/github/webhooks/promote-pull-request.ts';
import { openDeliveryWriter, storeDelivery } from '../../src/github/webhooks/store-delivery.ts';
import { takeEvents } from '../../src/github/webhooks/take-events.ts';
import { carryOverStack } from '../../src/pull-requests/carry-over-stack.ts';
import type { PullRequest } from '../../src/pull-requests/pull-request.ts';
import type { JobRun } from '../../src/queue/job.ts';
import { finishRun } from '../../src/runs/end-run.ts';
import { judgeRun, judgeSuite } from '../../src/runs/judging/judge-runs.ts';
import { capturePage } from '../../src/runs/page-jobs/capture-page.ts';
import { comparePage, settleResult } from '../../src/runs/page-jobs/compare-page.ts';
import { compareSuite } from '../../src/runs/page-jobs/work-on-pages.ts';
import { imageName } from '../../src/storage/object-name.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import * as github from '../github/check-world.ts';
import { pullRequestEvent, sha } from '../github/webhooks/pull-request-payloads.ts';
import { marked, seeing } from '../runs/one-page.ts';
import { approveRun, readRun, startRun, undoApproval, updateSuite } from '../support/requests.ts';
import type { OwnSuite, World } from '../support/world.ts';

/** What a trial starts from: a suite of its own, and the number of a pull request of its own. */
export type Trial = { world: World; viewer: Viewer; suite: OwnSuite; number: number };

export type Operation = {
  name: string;
  /** Brings the trial to where the operation begins. @returns the operation, as a job or a request does it. */
  prepare(trial: Trial): Promise<(ctx: WorkerContext) => Promise<unknown>>;
  /** The queue lets one do it at a time. */
  takesTurns?: true;
  /** What the service does by itself later, whatever became of the operation. */
  later?(trial: Trial): Promise<unknown>;
};

const WHITE = marked([]);
const CHANGED = marked([20, 150]);
const PATHS = ['/', '/a'];

const job = () => ({ signal: new AbortController().signal });

/** What a slot that may have been left behind runs as. */
const slotJob = (): JobRun => ({
  ...job(),
  id: '0',
  attempt: 1,
  part: async (_of, work) => work(job().signal),
  takePlace: () => null,
  isClosing: () => false,
});

async function captureAll(ctx: WorkerContext, runId: string, png: Buffer): Promise<void> {
  for (const path of PATHS) {
    await capturePage(seeing({ ctx, db: ctx.db as World['db'] }, png, {}, true), { runId, path }, job());
    await comparePage(ctx, { runId, path });
  }
}

/** A finished run of the suite's own site, whose pages look like this. */
async function runShowing({ world, viewer, suite }: Trial, png: Buffer): Promise<string> {
  const { id } = await startRun(world.ctx, viewer, suite, {});
  await captureAll(world.ctx, id, png);
  await finishRun(world.ctx, { runId: id }, carryOverStack);
  return id;
}

const headOf = ({ number }: Trial, push: number) => sha(`${number}a${push}`);

/** A run of that head, whose results are all settled: the first page changed, the second did not. */
export async function settledRun(trial: Trial, pull: PullRequest): Promise<string> {
  const { world, viewer, suite } = trial;
  const runId = await github.waitingRun(world, suite, pull);
  await github.takeRun(world, runId);
  const { results } = await readRun(world.ctx, viewer, runId, 'suite.read');
  const baselines = await world.db('baselines').where({ test_suite_id: suite.id }).orderBy('path').select();
  for (const [index, result] of results.entries()) {
    const png = index === 0 ? CHANGED : WHITE;
    const currentFile = imageName(suite.id, sha256Of(png));
    await world.ctx.storage.put(currentFile, png);
    const { filePath: baselineFile, currentVersionId: baselineVersionId } = baselines[index];
    const compared = { baselineFile, baselineVersionId, currentFile, isNew: false };
    const verdict = index === 0 ? { status: 'FAIL' as const, diffScore: 2 } : { status: 'PASS' as const, diffScore: 0 };
    await settleResult(world.ctx, result, { ...compared, ...verdict });
  }
  return runId;
}

export async function openPull(trial: Trial): Promise<PullRequest> {
  await runShowing(trial, WHITE);
  return github.newPullRequest(trial.world, { number: trial.number, headSha: headOf(trial, 0) });
}

const deliver = async (ctx: WorkerContext, trial: Trial): Promise<void> => {
  const payload = pullRequestEvent('opened', { number: trial.number, head: headOf(trial, 0), at: 0 });
  await storeDelivery(ctx, openDeliveryWriter(ctx.db), {
    id: `delivery-${trial.number}`,
    name: 'pull_request',
    payload,
  });
};

export const OPERATIONS: Operation[] = [
  {
    name: 'a first screenshot, which seeds the baseline',
    async prepare({ world, viewer, suite }) {
      const { id } = await startRun(world.ctx, viewer, suite, {});
      return (ctx) => captureAll(ctx, id, WHITE);
    },
  },
  {
    name: 'a screenshot that differs',
    async prepare(trial) {
      await runShowing(trial, WHITE);
      const { id } = await startRun(trial.world.ctx, trial.viewer, trial.suite, {});
      return (ctx) => captureAll(ctx, id, CHANGED);
    },
    later: async ({ world, suite }) => compareSuite(world.ctx, { suiteId: suite.id, slot: 0 }, slotJob()),
  },
  {
    name: 'the end of a run, with approvals of the push before',
    async prepare(trial) {
      const { world, viewer } = trial;
      const pull = await openPull(trial);
      const before = await settledRun(trial, pull);
      await finishRun(world.ctx, { runId: before }, carryOverStack);
      await approveRun(world.ctx, viewer, before, {});
      const runId = await settledRun(trial, { ...pull, headSha: headOf(trial, 1) });
      return (ctx) => finishRun(ctx, { runId }, carryOverStack);
    },
  },
  {
    name: 'an approval',
    async prepare(trial) {
      await runShowing(trial, WHITE);
      const runId = await runShowing(trial, CHANGED);
      return (ctx) => approveRun(ctx, trial.viewer, runId, { note: 'as planned' });
    },
  },
  {
    name: 'an approval after another version came, which is measured',
    async prepare(trial) {
      await runShowing(trial, WHITE);
      const runId = await runShowing(trial, CHANGED);
      await approveRun(trial.world.ctx, trial.viewer, await runShowing(trial, marked([40])), {});
      return (ctx) => approveRun(ctx, trial.viewer, runId, {});
    },
  },
  {
    name: 'an undo',
    async prepare(trial) {
      await runShowing(trial, WHITE);
      const runId = await runShowing(trial, CHANGED);
      await approveRun(trial.world.ctx, trial.viewer, runId, {});
      return (ctx) => undoApproval(ctx, trial.viewer, runId, {});
    },
  },
  {
    name: 'an approval again after an undo',
    async prepare(trial) {
      await runShowing(trial, WHITE);
      const runId = await runShowing(trial, CHANGED);
      await approveRun(trial.world.ctx, trial.viewer, runId, {});
      await undoApproval(trial.world.ctx, trial.viewer, runId, {});
      return (ctx) => approveRun(ctx, trial.viewer, runId, {});
    },
  },
  {
    name: 'the promotion at a merge',
    async prepare(trial) {
      const { world, viewer } = trial;
      const pull = await openPull(trial);
      const runId = await settledRun(trial, pull);
      await finishRun(world.ctx, { runId }, carryOverStack);
      await approveRun(world.ctx, viewer, runId, {});
      await github.changePullRequest(world, { ...pull, state: 'MERGED', mergeCommitSha: sha('feed') });
      return (ctx) => promotePullRequest(ctx, pull);
    },
  },
  {
    name: 'a judgement after a new rule',
    takesTurns: true,
    async prepare(trial) {
      const { world, viewer, suite } = trial;
      await runShowing(trial, WHITE);
      const runId = await runShowing(trial, CHANGED);
      const box = { x: 0, y: 0, width: 60, height: 100 };
      await updateSuite(world.ctx, viewer, suite.id, { config: { rules: [{ paths: ['/'], ignoreBoxes: [box] }] } });
      return async (ctx) => {
        await judgeSuite(ctx, { suiteId: suite.id });
        await judgeRun(ctx, { runId });
      };
    },
  },
  {
    name: 'a delivery',
    prepare: async (trial) => async (ctx) => deliver(ctx, trial),
  },
  {
    name: 'what a delivery leads to',
    async prepare(trial) {
      await deliver(trial.world.ctx, trial);
      return (ctx) => takeEvents(ctx, { subject: `pull/acme/site/${trial.number}` });
    },
  },
];

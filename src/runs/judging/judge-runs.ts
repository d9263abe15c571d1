import { isDeepStrictEqual } from 'node:util';
import { readMaking } from '../../baselines/read-baselines.ts';
import type { WorkerContext } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import type { JobRun } from '../../queue/job.ts';
import type { PageRule } from '../../suites/config/page-rule.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import { appendLogs } from '../log/log-store.ts';
import { decideOutcome, decideReviewState } from '../outcome.ts';
import { savePageStates } from '../page-results/page-state-store.ts';
import { queueCheckUpdate } from '../queue-check-update.ts';
import { recordDrift, recordGate } from '../record-run-events.ts';
import { replaceChanges } from '../results/change-store.ts';
import { changeJudgedResult, findJudgedResults, findResults } from '../results/result-store.ts';
import { describeUncounted, isChanged, type PageResult } from '../results/result.ts';
import { findRun, lockRun, moveRun } from '../run-store.ts';
import { isInFlight, type Run } from '../run.ts';
import { isAsBaseline } from './compare-by-rules.ts';
import { countUse } from './ignored-change-store.ts';
import { AS_IT_DID, judgeResult, type Judgement } from './judge-result.ts';
import { findOutdatedResults, findRunsToJudge, setRunRules, type OutdatedResult } from './judged-run-store.ts';
import { queueJudgement } from './queue-judgement.ts';

/** No suite has more open gates than this. */
const MAX_RUNS = 100;

const onlyIgnore = ({ paths, viewports, ignore, ignoreBoxes }: PageRule): PageRule[] =>
  ignore === undefined && ignoreBoxes === undefined ? [] : [{ paths, viewports, ignore, ignoreBoxes }];

const withoutIgnore = ({ ignore: _elements, ignoreBoxes: _boxes, ...rule }: PageRule): PageRule => rule;

/** Uses the suite's current ignore rules. Everything else was captured by the run's own rules, which are kept. */
function rulesToJudgeBy(own: readonly PageRule[], current: readonly PageRule[]): PageRule[] {
  if (isDeepStrictEqual(own.flatMap(onlyIgnore), current.flatMap(onlyIgnore))) return [...own];
  return [...own.map(withoutIgnore), ...current.flatMap(onlyIgnore)];
}

/**
 * Job: after a change of what a suite ignores, judges again the runs whose gate is open or in which something was ignored,
 * and those in flight as soon as they have ended. No page is captured.
 */
export async function judgeSuite(ctx: Pick<WorkerContext, 'db'>, { suiteId }: { suiteId: string }): Promise<void> {
  const suite = await findSuite(ctx.db, suiteId);
  if (suite === null) return;
  for (const runId of await findRunsToJudge(ctx.db, suiteId, MAX_RUNS)) {
    await inTransaction(ctx.db, async (trx) => {
      const run = await lockRun(trx, runId);
      if (run === null) return;
      // A pull request with rules of its own is judged by them.
      if (run.git?.configChange?.used.includes('rules') !== true) {
        await setRunRules(trx, run, rulesToJudgeBy(run.config.rules, suite.config.rules));
      }
      await queueJudgement(trx, runId);
    });
  }
}

/** Writes the new outcome of a result. False if it was approved, unapproved or captured again in the meantime. */
export async function writeJudgement(
  ctx: Pick<WorkerContext, 'db'>,
  run: Run,
  result: PageResult,
  { ignoredChangeId, changes, ...change }: Exclude<Judgement, { status: 'ERROR' }>,
): Promise<boolean> {
  const changed = await inTransaction(ctx.db, async (trx) => {
    if ((await lockRun(trx, run.id)) === null || !(await changeJudgedResult(trx, result, change))) return false;
    await replaceChanges(trx, result, changes);
    return true;
  });
  if (changed && ignoredChangeId !== null && result.cause !== 'IGNORED') await countUse(ctx.db, ignoredChangeId);
  return changed;
}

async function rejudge(ctx: WorkerContext, run: Run, result: PageResult): Promise<void> {
  const { baselineFile, currentFile } = result;
  if (baselineFile === null || currentFile === null) return;
  // The same screenshot can only sound different.
  if (baselineFile === currentFile && result.heardFile === null) return;
  const judgement = await judgeResult(ctx, run, { ...result, baselineFile, currentFile });
  // The images are missing, so the earlier judgment is kept.
  if (judgement.status === 'ERROR') return;
  await writeJudgement(ctx, run, result, judgement);
}

/** Gate and counters by the results, and whether the run differs from them. */
function readOutcome(run: Run, results: PageResult[]) {
  const metadata = { ...run.metadata, ...decideOutcome(results).metadata };
  const reviewState = decideReviewState(results, run);
  const isNew = reviewState !== run.reviewState || !isDeepStrictEqual(metadata, run.metadata);
  return { metadata, reviewState, isNew };
}

/** Whether the gate or the counters of a completed run don't match its results, because a worker died in between. */
async function isBehindResults(db: Db, run: Run): Promise<boolean> {
  return readOutcome(run, await findResults(db, run.id)).isNew;
}

/** Brings gate, counters, log and check up to date with the results. `what` begins the line of the log. */
async function closeJudgement(trx: Db, runId: string, what: string): Promise<void> {
  const run = await lockRun(trx, runId);
  if (run?.status !== 'COMPLETED') return;
  const results = await findResults(trx, runId);
  const { metadata, reviewState, isNew } = readOutcome(run, results);
  await moveRun(trx, runId, ['COMPLETED'], 'COMPLETED', { metadata, reviewState });
  await recordGate(trx, run, reviewState, results);
  await recordDrift(trx, run, results);
  await savePageStates(trx, runId);
  if (isNew) {
    const counts = [formatCount(results.filter(isChanged).length, 'change'), describeUncounted(results)];
    const message = `${what}; ${counts.filter((count) => count !== '').join(', ')}`;
    await appendLogs(trx, runId, [{ type: 'SYSTEM', message, metadata: { reviewState } }]);
  }
  await queueCheckUpdate(trx, run, 'now');
}

type Judging = Partial<Pick<JobRun, 'signal'>>;

/** Job: compares the stored screenshots of a run again, by its current rules. Approved results stay as they are. */
export async function judgeRun(
  ctx: WorkerContext,
  { runId }: { runId: string },
  { signal }: Judging = {},
): Promise<void> {
  const run = await findRun(ctx.db, runId);
  // Its errors are being captured again, or the job was queued before the run ended. It is judged when it ends.
  if (run !== null && isInFlight(run.status)) await inTransaction(ctx.db, async (trx) => queueJudgement(trx, runId));
  if (run?.status !== 'COMPLETED') return;
  for (const result of await findJudgedResults(ctx.db, runId)) {
    signal?.throwIfAborted();
    await rejudge(ctx, run, result);
  }
  await inTransaction(ctx.db, async (trx) => closeJudgement(trx, runId, 'Re-evaluated without new screenshots'));
}

const UNCHANGED = {
  status: 'PASS',
  cause: null,
  causePullRequest: null,
  causeVersion: null,
  isNew: false,
  diffScore: 0,
  diffFile: null,
  diffRegions: [],
  drifted: false,
  servers: null,
  faint: false,
  moves: null,
  changes: [],
  changeIds: null,
  ignoredBoxes: null,
  alignedBaselineFile: null,
  alignedCurrentFile: null,
  compareEngine: null,
  ...AS_IT_DID,
  ignoredChangeId: null,
  heardIds: null,
  heardKey: null,
} as const satisfies Judgement;

/** A screenshot with the bytes of its baseline has no map of its own, so the version's is used. */
async function findElements(
  ctx: Pick<WorkerContext, 'db'>,
  { elementsFile, currentFile, baselineFile, baselineVersionId }: PageResult,
): Promise<string | null> {
  const isOfVersion = elementsFile === null && baselineVersionId !== null && currentFile === baselineFile;
  return isOfVersion ? (await readMaking(ctx, baselineVersionId)).elementsFile : elementsFile;
}

/** Null when nothing was changed: a screenshot is missing, or the result was decided or captured again meanwhile. */
async function compareOne(
  ctx: WorkerContext,
  run: Run,
  { result, baseline }: OutdatedResult,
): Promise<'unchanged' | 'compared' | null> {
  const { currentFile } = result;
  if (currentFile === null) return null;
  const against = {
    baselineFile: baseline.filePath,
    baselineVersionId: baseline.currentVersionId,
    elementsFile: await findElements(ctx, result),
  };
  const isSame = isAsBaseline(result, baseline);
  const judgement = isSame ? UNCHANGED : await judgeResult(ctx, run, { ...result, ...against, currentFile });
  if (judgement.status === 'ERROR') return null;
  if (!(await writeJudgement(ctx, run, result, { ...judgement, ...against }))) return null;
  return isSame ? 'unchanged' : 'compared';
}

function describeOutcomes(compared: ('unchanged' | 'compared')[]): string {
  if (compared.length === 0) return 'Gate and counters follow results that were compared before the worker died';
  const unchanged = compared.filter((outcome) => outcome === 'unchanged').length;
  return `${formatCount(compared.length, 'result')} compared again with new baselines, without new screenshots: ${formatNumber(unchanged)} now unchanged`;
}

/**
 * Job: compares the results of a pull request's run with the baselines that moved since, by the stored screenshots.
 * Approved results are kept, unless they are the baseline now.
 */
export async function compareAnew(
  ctx: WorkerContext,
  { runId }: { runId: string },
  { signal }: Judging = {},
): Promise<void> {
  const run = await findRun(ctx.db, runId);
  if (run?.status !== 'COMPLETED' || run.isMerged) return;
  const outcomes: ('unchanged' | 'compared' | null)[] = [];
  for (const outdated of await findOutdatedResults(ctx.db, run)) {
    signal?.throwIfAborted();
    outcomes.push(await compareOne(ctx, run, outdated));
  }
  const compared = outcomes.filter((outcome) => outcome !== null);
  if (compared.length === 0 && !(await isBehindResults(ctx.db, run))) return;
  await inTransaction(ctx.db, async (trx) => closeJudgement(trx, runId, describeOutcomes(compared)));
}

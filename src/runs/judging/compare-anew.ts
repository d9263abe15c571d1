import { readMaking } from '../../baselines/read-baselines.ts';
import type { WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import type { PageResult } from '../results/result.ts';
import { findRun } from '../run-store.ts';
import type { Run } from '../run.ts';
import { isAsBaseline } from './compare-by-rules.ts';
import { AS_IT_DID } from './judge-by-base.ts';
import { judgeResult, type Judgement } from './judge-result.ts';
import { closeJudgement, isBehindResults, writeJudgement } from './judge-runs.ts';
import { findOutdatedResults, type OutdatedResult } from './judged-run-store.ts';

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
export async function compareAnew(ctx: WorkerContext, { runId }: { runId: string }): Promise<void> {
  const run = await findRun(ctx.db, runId);
  if (run?.status !== 'COMPLETED' || run.isMerged) return;
  const outcomes: ('unchanged' | 'compared' | null)[] = [];
  for (const outdated of await findOutdatedResults(ctx.db, run)) outcomes.push(await compareOne(ctx, run, outdated));
  const compared = outcomes.filter((outcome) => outcome !== null);
  if (compared.length === 0 && !(await isBehindResults(ctx.db, run))) return;
  await inTransaction(ctx.db, async (trx) => closeJudgement(trx, runId, describeOutcomes(compared)));
}

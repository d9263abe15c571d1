import { isDeepStrictEqual } from 'node:util';
import { storeImage } from '../../baselines/compare-screenshots.ts';
import { COMPARE_ENGINE } from '../../compare/compare-apart.ts';
import { findChanges } from '../../elements/find-changes.ts';
import { settingsForPage, type Place } from '../../suites/config/page-rule.ts';
import type { SuiteConfig } from '../../suites/config/suite-config.ts';
import type { ResultChange } from '../results/result-store.ts';
import type { FoundChange, PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import { findBaseConfig } from '../settings-change/settings-change-store.ts';
import { behind } from './behind.ts';
import { compareByRules, isOfAnotherEngine, passes } from './compare-by-rules.ts';
import {
  compareControl,
  markChanges,
  markRegions,
  type ComparedResult,
  type ControlFindings,
} from './compare-control.ts';
import type { Difference, ExplainContext, Explanation, Reason } from './difference.ts';
import { readMakings, readMap, type Makings } from './element-maps.ts';
import { findHeard, heardKey, toChanges } from './heard.ts';
import { COVERED, warnOfCover } from './ignored-areas.ts';
import { findMatchingIgnoredChange } from './ignored-change-store.ts';
import { showsSameChange } from './judged-run-store.ts';

/**
 * The branch is based on that of another pull request, whose newest run shows the same: it is decided there
 * (docs/rules.md, Verdicts). Only the same bytes count, because one decision stands for both.
 */
const fromPullRequest: Reason = async (ctx, { run, result, heard }) => {
  const number = run.git?.basePullRequest;
  if (number === undefined || !(await showsSameChange(ctx.db, run, number, { ...result, heardKey: heardKey(heard) })))
    return null;
  return { cause: 'FROM_PULL_REQUEST', causePullRequest: number };
};

const asIgnored: Reason = async (ctx, { run, result, comparison, heard }) => {
  const change = { ...result, heardKey: heardKey(heard), diffRegions: comparison.regions };
  const ignoredChangeId = await findMatchingIgnoredChange(ctx.db, run.testSuiteId, change);
  return ignoredChangeId === null ? null : { cause: 'IGNORED', ignoredChangeId };
};

/** What is drawn may come from the browser. What assistive technology is told needs a review all the same. */
const fromAnotherEngine: Reason = async (_ctx, { result, comparison, baselineEngine, heard }) =>
  !heard.holds && isOfAnotherEngine(result, comparison, baselineEngine) ? { cause: 'ENGINE' } : null;

const asDrift: Reason = async (_ctx, { control }) => (control?.isDrift === true ? { cause: 'DRIFT' } : null);

/** The first one that applies is the cause. Later ones are only checked if earlier ones don't apply. */
const REASONS: readonly Reason[] = [asIgnored, fromAnotherEngine, fromPullRequest, behind, asDrift];

/**
 * Why a failing result differs (docs/rules.md, Verdicts). Without another reason, or if a person said so, it is a
 * change.
 */
async function explainDifference(ctx: ExplainContext, difference: Difference): Promise<Explanation> {
  if (difference.result.countedAsChange) return { cause: 'CHANGE' };
  for (const reason of REASONS) {
    const explanation = await reason(ctx, difference);
    if (explanation !== null) return explanation;
  }
  return { cause: 'CHANGE' };
}

/** The outcome of a comparison. */
export type Judgement =
  | { status: 'ERROR'; error: string }
  | (ResultChange & { status: 'PASS' | 'FAIL'; ignoredChangeId: string | null; changes: FoundChange[] });

type Decision = Pick<PageResult, 'cause' | 'causePullRequest' | 'causeVersion'> & {
  status: 'PASS' | 'FAIL';
  ignoredChangeId: string | null;
};

const NOTHING_ELSE = { ignoredChangeId: null, causePullRequest: null, causeVersion: null };

async function decide(ctx: ExplainContext, difference: Difference, isSame: boolean): Promise<Decision> {
  if (isSame) {
    const { differentPixels, ignoredPixels } = difference.comparison;
    const onlyIgnored = differentPixels === 0 && ignoredPixels > 0;
    return { ...NOTHING_ELSE, status: 'PASS', cause: onlyIgnored ? 'IGNORED' : null };
  }
  return { ...NOTHING_ELSE, status: 'FAIL', ...(await explainDifference(ctx, difference)) };
}

/** MAYBE_ONE is only stored if it is the reason why a difference counts. */
const serversOf = (control: ControlFindings | null, isCounted: boolean) =>
  control === null || (control.servers === 'MAYBE_ONE' && !isCounted) ? null : control.servers;

/** Pixels of the screenshot for each CSS px. */
const scaleOf = ({ config }: Run, { viewport }: PageResult) =>
  config.viewports.find(({ name }) => name === viewport)?.deviceScaleFactor ?? 1;

/** A result that the pull request leaves out holds no gate. It is only shown. */
function asLeftOut(judgement: Judgement): Judgement {
  if (judgement.status === 'ERROR') return judgement;
  const { status, diffScore, diffFile } = judgement;
  return {
    ...judgement,
    ...NOTHING_ELSE,
    status: 'PASS',
    cause: status === 'FAIL' ? 'IGNORED' : (judgement.cause ?? null),
    changes: [],
    changeIds: null,
    heardIds: null,
    heardKey: null,
    baseStatus: status,
    baseScore: diffScore ?? null,
    baseDiffFile: diffFile ?? null,
  };
}

/**
 * Compares a result's two stored screenshots by the rules of its run, and stores the images that show the difference.
 * If its pull request loosens the settings, this also determines what the result would have been without that.
 * @throws AppError unavailable when the storage cannot be reached.
 */
export async function judgeResult(ctx: ExplainContext, run: Run, result: ComparedResult): Promise<Judgement> {
  const base = await findBaseConfig(ctx.db, run);
  if (!result.leftOut) return judge(ctx, run, result, base);
  return asLeftOut(await judge(ctx, { ...run, config: base ?? run.config }, result, null));
}

async function judge(
  ctx: ExplainContext,
  run: Run,
  result: ComparedResult,
  base: SuiteConfig | null,
): Promise<Judgement> {
  const { baselineFile, currentFile } = result;
  const [baseline, current] = await Promise.all([ctx.storage.get(baselineFile), ctx.storage.get(currentFile)]);
  if (baseline === null || current === null) {
    const missing = baseline === null ? 'baseline' : 'current';
    return { status: 'ERROR', error: `The ${missing} screenshot is missing from storage` };
  }
  const makings = await readMakings(ctx, result);
  const startedAt = performance.now();
  const before = { image: baseline, map: makings.baseline };
  const after = { image: current, map: makings.current };
  const comparison = await compareByRules(ctx, run, result, { before, after });
  const { baselineEngine, baselineHeard } = makings;
  const heard = await findHeard(ctx, run, result, baselineHeard);
  const isSame = passes(run, result, comparison) && !heard.holds;
  const control = isSame
    ? null
    : await compareControl(ctx, run, result, { baseline, current, makings, comparison, heard });
  const decision = await decide(ctx, { run, result, comparison, baselineEngine, control, heard }, isSame);
  ctx.measure('comparisons', { outcome: decision.status }, 1);
  ctx.measure('comparison_seconds', { outcome: decision.status }, (performance.now() - startedAt) / 1000);
  const diffRegions = markRegions(comparison.regions, control);
  const changes =
    decision.status === 'FAIL' ? findChanges(makings, comparison.regions, scaleOf(run, result), comparison.filler) : [];
  const spoken = toChanges(heard, makings);
  return {
    ...decision,
    changes: [...markChanges(changes, diffRegions), ...spoken],
    heardIds: heard.differences.map(({ key }) => key),
    heardKey: heardKey(heard),
    changeIds: [...changes, ...(heard.holds ? spoken : [])].map(({ key }) => key),
    diffScore: comparison.diffPercentage,
    diffFile: await storeImage(ctx, run.testSuiteId, comparison.diffImage),
    diffRegions,
    drifted: control?.drifted ?? false,
    servers: serversOf(control, decision.cause === 'CHANGE' && !result.countedAsChange),
    ...(control?.alternates === true && { stability: 'UNSTABLE' }),
    faint: comparison.faint,
    ignoredBoxes: comparison.ignored,
    warnings: [
      ...result.warnings.filter(({ code }) => code !== COVERED),
      ...warnOfCover(run.config, result.viewport, comparison),
    ],
    moves: comparison.moves,
    alignedBaselineFile: await storeImage(ctx, run.testSuiteId, comparison.aligned?.baseline ?? null),
    alignedCurrentFile: await storeImage(ctx, run.testSuiteId, comparison.aligned?.current ?? null),
    compareEngine: COMPARE_ENGINE,
    isNew: false,
    ...(base === null ? AS_IT_DID : await judgeByBase(ctx, run, base, result, { baseline, makings })),
  };
}

type ByBase = Pick<PageResult, 'baseStatus' | 'baseScore' | 'baseDiffFile'>;

export const AS_IT_DID: ByBase = { baseStatus: null, baseScore: null, baseDiffFile: null };

/** The settings that decide about two screenshots once they are taken. */
function comparison(config: SuiteConfig, page: Place) {
  const { alignment, ignoreFaint } = config;
  const { threshold, failureThreshold, ignore, ignoreBoxes } = settingsForPage(config, page);
  return { alignment, ignoreFaint, threshold, failureThreshold, ignore, ignoreBoxes };
}

/**
 * What the result would be with the settings of the base: by the screenshot that was taken with them, or by its own if
 * only the comparison differs.
 */
async function judgeByBase(
  ctx: ExplainContext,
  run: Run,
  base: SuiteConfig,
  result: ComparedResult,
  { baseline, makings }: { baseline: Buffer; makings: Makings },
): Promise<ByBase> {
  const { baseFile, currentFile, baseState } = result;
  if (baseState !== null && baseFile === null) return AS_IT_DID;
  if (baseFile === null && isDeepStrictEqual(comparison(base, result), comparison(run.config, result)))
    return AS_IT_DID;
  const image = await ctx.storage.get(baseFile ?? currentFile);
  if (image === null) return AS_IT_DID;
  const map = baseFile === null ? makings.current : await readMap(ctx, result.baseElementsFile);
  const sides = { before: { image: baseline, map: makings.baseline }, after: { image, map } };
  const compared = await compareByRules(ctx, { config: base }, result, sides);
  return {
    baseStatus: passes({ config: base }, result, compared) ? 'PASS' : 'FAIL',
    baseScore: compared.diffPercentage,
    baseDiffFile: await storeImage(ctx, run.testSuiteId, compared.diffImage),
  };
}

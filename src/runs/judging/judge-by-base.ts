import { isDeepStrictEqual } from 'node:util';
import { storeImage } from '../../baselines/compare-screenshots.ts';
import { settingsForPage } from '../../suites/config/page-rule.ts';
import type { SuiteConfig } from '../../suites/config/suite-config.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import { compareByRules, passes } from './compare-by-rules.ts';
import type { ComparedResult } from './compare-control.ts';
import type { ExplainContext } from './difference.ts';
import { readMap, type Makings } from './element-maps.ts';

type ByBase = Pick<PageResult, 'baseStatus' | 'baseScore' | 'baseDiffFile'>;

export const AS_IT_DID: ByBase = { baseStatus: null, baseScore: null, baseDiffFile: null };

/** The settings that decide about two screenshots once they are taken. */
function comparison(config: SuiteConfig, page: { path: string; viewport: string }) {
  const { alignment, ignoreFaint } = config;
  const { threshold, failureThreshold, ignore, ignoreBoxes } = settingsForPage(config, page);
  return { alignment, ignoreFaint, threshold, failureThreshold, ignore, ignoreBoxes };
}

/**
 * What the result would be with the settings of the base: by the screenshot that was taken with them, or by its own if
 * only the comparison differs.
 */
export async function judgeByBase(
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

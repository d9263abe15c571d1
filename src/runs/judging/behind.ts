import { compareByRules, passes } from './compare-by-rules.ts';
import type { Difference, ExplainContext, Reason } from './difference.ts';
import { readMap } from './element-maps.ts';
import { soundsLike } from './heard.ts';
import { hasLeftBefore } from './left-before.ts';
import { findOlderVersions, type OlderVersion } from './older-version-store.ts';

/** How many older versions are considered. */
const LOOKED_AT = 20;
/** How many are compared. Each takes as long as the result's own comparison. */
const COMPARED = 3;

async function looksLike(
  ctx: ExplainContext,
  { run, result }: Difference,
  { filePath, elementsFile }: OlderVersion,
): Promise<boolean> {
  const [older, current] = await Promise.all([ctx.storage.get(filePath), ctx.storage.get(result.currentFile)]);
  if (older === null || current === null) return false;
  const before = { image: older, map: await readMap(ctx, elementsFile) };
  const after = { image: current, map: await readMap(ctx, result.elementsFile) };
  return passes(run, result, await compareByRules(ctx, run, result, { before, after }, { images: false }));
}

/**
 * The newest older version that the screenshot equals, by bytes or by the suite's thresholds, if nobody has refused it
 * and the branch left its base before the next version. A branch that left before one version also left before later
 * ones, so the first version that it did not leave before ends the search.
 */
async function findVersion(ctx: ExplainContext, difference: Difference): Promise<OlderVersion | null> {
  const { run, result } = difference;
  const older = await findOlderVersions(ctx.db, result, LOOKED_AT);
  const same = older.find(({ filePath }) => filePath === result.currentFile);
  if (same !== undefined) return !same.isRefused && (await hasLeftBefore(ctx, run, same)) ? same : null;
  const standing = older.filter(({ isRefused }) => !isRefused);
  for (const version of standing.slice(0, COMPARED)) {
    if (!(await hasLeftBefore(ctx, run, version))) return null;
    if (await looksLike(ctx, difference, version)) return version;
  }
  return null;
}

/**
 * The page looks as it did before a change of the base branch that this branch does not have (docs/rules.md, Verdicts).
 */
export const behind: Reason = async (ctx, difference) => {
  const { run } = difference;
  if (run.runType !== 'PR' || !run.config.behind) return null;
  const version = await findVersion(ctx, difference);
  if (version === null || !(await soundsLike(ctx, difference.heard, difference.result, version.heardFile))) return null;
  return { cause: 'BEHIND', version: version.version, pullRequest: version.next.prNumber };
};

import type { MergeBase } from '../../context.ts';
import { enqueue, postponedTo } from '../../queue/enqueue.ts';
import type { Run } from '../run.ts';
import { compareByRules, passes } from './compare-by-rules.ts';
import type { Difference, ExplainContext, Reason } from './difference.ts';
import { readMap } from './element-maps.ts';
import { soundsLike } from './heard.ts';
import { findMergeBases, findRepository, saveMergeBase, wasHeadOf } from './judged-run-store.ts';
import { findLastSighting, findOlderVersions, type OlderVersion } from './sighting-store.ts';

/** How long after a merge a site may still show the commit before. */
const DEPLOYED_WITHIN_MS = 3_600_000;
/** Of one run. */
const MOST_ASKED = 50;
const AGAIN_MS = 5 * 60_000;
/** An older run is not judged again if the code host did not answer. */
const AGAIN_WITHIN_MS = 3_600_000;

/** Without an answer the difference counts as a change for now, and a recent run is judged again later. */
async function askAgain(ctx: ExplainContext, { id, createdAt }: Run): Promise<void> {
  const now = ctx.clock.now().getTime();
  if (now - createdAt.getTime() > AGAIN_WITHIN_MS) return;
  await enqueue(ctx.db, 'judge-run', { runId: id }, postponedTo(new Date(now + AGAIN_MS)));
}

/** Where the run's head left the history of a commit or a branch. Each is asked for once. Null if unknown. */
async function readMergeBase(ctx: ExplainContext, run: Run, of: string): Promise<MergeBase | null> {
  const bases = await findMergeBases(ctx.db, run.id);
  const known = bases[of];
  if (known !== undefined) return known;
  const at = await findRepository(ctx.db, run.id);
  const head = run.git?.headSha;
  if (at === null || head === undefined || Object.keys(bases).length >= MOST_ASKED) return null;
  try {
    const found = await ctx.codeHost.readMergeBase({ ...at, of, head });
    if (found !== null) await saveMergeBase(ctx.db, run.id, of, found);
    return found;
  } catch (error) {
    ctx.log.warn({ err: error, runId: run.id, of }, 'could not read where a branch left its base');
    await askAgain(ctx, run);
    return null;
  }
}

/**
 * Whether the run's branch lacks what replaced the version. A revert also makes a page look like an older version, but
 * its branch has the commit that it reverts. For a version that no merge made, the commit is unknown; then the branch
 * must have left its base before the site was last seen in the older version. False if that can't be determined.
 */
async function hasLeftBefore(ctx: ExplainContext, run: Run, version: OlderVersion): Promise<boolean> {
  const { mergeCommitSha, prNumber, approvedAt } = version.next;
  if (mergeCommitSha !== null) {
    const base = await readMergeBase(ctx, run, mergeCommitSha);
    if (base === null || base.sha === mergeCommitSha || new Date(base.committedAt) >= approvedAt) return false;
    // A branch that grew out of the merged one has its commits, though not the merge.
    return !(await wasHeadOf(ctx.db, run, prNumber, base.sha));
  }
  const seenAt = await findLastSighting(ctx.db, version.id);
  const branch = run.git?.baseBranch;
  if (seenAt === null || branch === undefined) return false;
  const base = await readMergeBase(ctx, run, branch);
  return base !== null && new Date(base.committedAt).getTime() < seenAt.getTime() - DEPLOYED_WITHIN_MS;
}

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
  return { cause: 'BEHIND', causeVersion: version.version, causePullRequest: version.next.prNumber };
};

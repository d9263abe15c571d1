import type { MergeBase } from '../../context.ts';
import { enqueue, postponedTo } from '../../queue/enqueue.ts';
import type { Run } from '../run.ts';
import type { ExplainContext } from './difference.ts';
import { findMergeBases, findRepository, saveMergeBase } from './judged-run-store.ts';
import { findLastSighting, type OlderVersion } from './older-version-store.ts';

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
export async function hasLeftBefore(ctx: ExplainContext, run: Run, version: OlderVersion): Promise<boolean> {
  const { mergeCommitSha, approvedAt } = version.next;
  if (mergeCommitSha !== null) {
    const base = await readMergeBase(ctx, run, mergeCommitSha);
    return base !== null && base.sha !== mergeCommitSha && new Date(base.committedAt) < approvedAt;
  }
  const seenAt = await findLastSighting(ctx.db, version.id);
  const branch = run.git?.baseBranch;
  if (seenAt === null || branch === undefined) return false;
  const base = await readMergeBase(ctx, run, branch);
  return base !== null && new Date(base.committedAt).getTime() < seenAt.getTime() - DEPLOYED_WITHIN_MS;
}

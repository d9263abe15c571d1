import { inTransaction } from '../../db/in-transaction.ts';
import type { JobPayloads } from '../../queue/job-kinds.ts';
import { askGitHub, installationClient, isGone, type GitHubContext } from '../app/github-client.ts';
import { recordSignal } from './record-signal.ts';
import { findSignals } from './signal-store.ts';

type Merge = JobPayloads['place-merge-deployment'];

/** The head that a test merge merged into its base: its second parent. Null if GitHub no longer has the commit. */
async function readMergedHead(ctx: GitHubContext, merge: Merge): Promise<string | null> {
  const { owner, repo, mergeSha, installationId } = merge;
  const github = await installationClient(ctx, installationId);
  try {
    const { data } = await github.rest.git.getCommit({ owner, repo, commit_sha: mergeSha });
    return data.parents[1]?.sha ?? mergeSha;
  } catch (error) {
    if (!isGone(error)) throw error;
    ctx.log.info({ err: error, ...merge }, 'GitHub no longer has a test merge that was deployed');
    return null;
  }
}

/**
 * Job: deployments of `refs/pull/N/merge` are of a commit that GitHub made. They count for the head of the pull request
 * in it, and not for a head that was pushed since.
 */
export async function placeMergeDeployment(ctx: GitHubContext, merge: Merge): Promise<void> {
  const { owner, repo, mergeSha } = merge;
  await askGitHub(ctx, 'place-merge-deployment', merge, async () => {
    const headSha = await readMergedHead(ctx, merge);
    if (headSha === null) return;
    await inTransaction(ctx.db, async (trx) => {
      for (const signal of await findSignals(trx, { owner, repo, headSha: mergeSha })) {
        const { createdAt: _first, updatedAt: _last, readyKey: _ready, ...heard } = signal;
        await recordSignal(trx, ctx, { ...heard, headSha });
      }
    });
  });
}

import type { WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { carryOverBelow, carryOverToHead } from '../../pull-requests/carry-over-stack.ts';
import { promoteMergedPullRequest, startRunAfterMerge } from '../../pull-requests/promote-merged-run.ts';
import { findDefaultBranch, findPullRequest } from '../../pull-requests/pull-request-store.ts';
import { isGatedBase, type PullRequest } from '../../pull-requests/pull-request.ts';
import { settingsFor } from '../../suites/config-file/config-file.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import { askGitHub, type GitHubContext } from '../app/github-client.ts';
import { readConfigFile, syncConfigFile } from '../previews/read-config-file.ts';

type PromoteContext = GitHubContext & Pick<WorkerContext, 'storage' | 'compareImages'>;

async function runAfterMerge(ctx: PromoteContext, pullRequest: PullRequest): Promise<void> {
  const { owner, repo, number, baseBranch, mergeCommitSha, headSha } = pullRequest;
  const defaultBranch = await findDefaultBranch(ctx.db, pullRequest);
  const suites = (await linkedSuites(ctx, pullRequest)).filter(({ suite }) =>
    isGatedBase(suite.config, baseBranch, defaultBranch),
  );
  const [first] = suites;
  if (first === undefined) return;
  // The App may have been reinstalled since the last event of the pull request.
  const { installationId } = first.suite.codehost;
  const file = await readConfigFile(ctx, { owner, repo, installationId, ref: mergeCommitSha ?? baseBranch });
  const { settings } = file;
  if (settings === null) return;
  const asking = suites.filter(({ suite }) => settingsFor(settings, suite.name).runAfterMerge);
  if (asking.length === 0) return;
  // The merge may have changed the file, and the job that the merge queues for that may not have run yet.
  await syncConfigFile(ctx, { owner, repo });
  const ids = asking.map(({ suite }) => suite.id);
  for (const { suite } of await linkedSuites(ctx, pullRequest)) {
    if (!ids.includes(suite.id)) continue;
    const runId = await startRunAfterMerge(ctx, suite, { owner, repo, number, sha: mergeCommitSha ?? headSha });
    if (runId !== null) ctx.log.info({ runId, owner, repo, number }, 'started a run after a merge');
  }
}

/**
 * Job: turns the approved results of a merged pull request's last runs into baselines. Then it starts the runs that
 * the repository asks for. The merge and every decision queue it. In any order and however often it runs, each
 * approved result becomes one version. What was decided about an earlier run of the pull request counts in its last runs,
 * too.
 */
export async function promotePullRequest(
  ctx: PromoteContext,
  { owner, repo, number }: { owner: string; repo: string; number: number },
): Promise<void> {
  const pullRequest = await findPullRequest(ctx.db, { owner, repo, number });
  if (pullRequest === null || pullRequest.state === 'CLOSED') return;
  await inTransaction(ctx.db, async (trx) => carryOverToHead(trx, pullRequest));
  if (pullRequest.state === 'OPEN') return;
  await promoteMergedPullRequest(ctx, pullRequest);
  await carryOverBelow(ctx, pullRequest);
  await askGitHub(ctx, 'promote-pull-request', pullRequest, async () => runAfterMerge(ctx, pullRequest));
}

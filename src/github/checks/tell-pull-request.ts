import { readTold } from '../../pull-requests/check/told.ts';
import { findMergeGroups } from '../../pull-requests/pull-request-store.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { PullRequestKey } from '../../runs/run.ts';
import { readCredentials } from '../app/credentials.ts';
import { askGitHub, installationClient, unlessGone, type GitHub, type GitHubContext } from '../app/github-client.ts';
import { showComment } from './show-comment.ts';
import { showSummary } from './show-summary.ts';

/**
 * Job: makes a pull request show the comment and the check over all suites, where suites ask for them, and queues another
 * judgment of its merge groups (docs/rules.md, Pull requests). It follows the updates of the suites' checks. Jobs of one
 * pull request share a queue, so there is one comment and one check.
 * @param hasImages whether GitHub can and may fetch images
 */
export async function tellPullRequest(
  ctx: GitHubContext,
  key: PullRequestKey,
  hasImages: () => Promise<boolean>,
): Promise<void> {
  const credentials = await readCredentials(ctx);
  if (credentials === null) return;
  const { owner, repo, number } = key;
  for (const group of await findMergeGroups(ctx.db, key)) {
    await enqueue(ctx.db, 'judge-merge-group', { owner, repo, ...group });
  }
  const told = await readTold(ctx, key);
  if (told === null) return;
  const { appId } = credentials;
  const github = async (): Promise<GitHub> => installationClient(ctx, told.installationId);
  // The App may lack a permission, which the doctor names.
  const note = (error: unknown) =>
    ctx.log.warn({ err: error, owner, repo, number }, 'GitHub did not accept what a pull request should show');
  const tell = async () => {
    await unlessGone(async () => showSummary(ctx, told, github), note);
    await unlessGone(async () => showComment(ctx, told, { github, appId, withImages: await hasImages() }), note);
  };
  await askGitHub(ctx, 'tell-pull-request', key, tell, { delays: true });
}

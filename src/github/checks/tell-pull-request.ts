import { readTold } from '../../pull-requests/check/told.ts';
import type { PullRequestKey } from '../../runs/run.ts';
import { readCredentials } from '../app/credentials.ts';
import { askGitHub, installationClient, unlessGone, type GitHub, type GitHubContext } from '../app/github-client.ts';
import { showComment } from './show-comment.ts';
import { showSummary } from './show-summary.ts';

/**
 * Job: makes a pull request show the comment and the check over all suites, where suites ask for them. It follows the
 * updates of the suites' checks. Jobs of one pull request share a queue, so there is one comment and one check.
 * @param hasImages whether GitHub can and may fetch images
 */
export async function tellPullRequest(
  ctx: GitHubContext,
  key: PullRequestKey,
  hasImages: () => Promise<boolean>,
): Promise<void> {
  const credentials = await readCredentials(ctx);
  const told = credentials === null ? null : await readTold(ctx, key);
  if (credentials === null || told === null) return;
  const { appId } = credentials;
  const { owner, repo, number } = key;
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

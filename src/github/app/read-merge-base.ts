import { z } from 'zod';
import type { MergeBase } from '../../context.ts';
import { readCredentials } from './credentials.ts';
import { installationClient, unlessGone, type GitHubContext } from './github-client.ts';

/** The fields that we use of GitHub's comparison of two commits. */
const Comparison = z.object({
  merge_base_commit: z.object({
    sha: z.string(),
    commit: z.object({ committer: z.object({ date: z.iso.datetime({ offset: true }) }) }),
  }),
});

/**
 * The newest commit that a head has in common with another commit or branch. Null when GitHub can no longer tell.
 * @throws when GitHub does not answer.
 */
export async function readMergeBase(
  ctx: GitHubContext,
  at: { owner: string; repo: string; installationId: number; of: string; head: string },
): Promise<MergeBase | null> {
  const { owner, repo, installationId, of, head } = at;
  if ((await readCredentials(ctx)) === null) return null;
  const github = await installationClient(ctx, installationId);
  const compared = { owner, repo, basehead: `${of}...${head}`, per_page: 1 };
  const answer = await unlessGone(
    async () => github.rest.repos.compareCommitsWithBasehead(compared),
    (error) => ctx.log.info({ err: error, ...at }, 'GitHub cannot compare these commits'),
  );
  const comparison = Comparison.safeParse(answer?.data);
  if (!comparison.success) return null;
  const { sha, commit } = comparison.data.merge_base_commit;
  return { sha, committedAt: commit.committer.date };
}

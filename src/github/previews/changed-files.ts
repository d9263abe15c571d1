import type { PullRequestKey } from '../../runs/run.ts';
import { CONFIG_FILE } from '../../suites/config-file/config-file.ts';
import { compileGlobs } from '../../text/globs.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { installationClient, isGone, type GitHubContext } from '../app/github-client.ts';

/** GitHub lists no more than 3,000 files. */
const MOST_FILES = 3000;

const headOf = (contentsUrl: string | undefined) => parseUrl(contentsUrl ?? '')?.searchParams.get('ref') ?? null;

/**
 * Whether the pull request changes a file that matches the patterns, or the file that has them: a pull request can't
 * decide that it is not captured. True when GitHub can't tell, because there are too many files, we may not see them, or
 * they are of another head: GitHub lists those of the newest one that it knows.
 * @throws when GitHub does not answer. The caller tries again.
 */
export async function changesMatchingFile(
  ctx: GitHubContext,
  pullRequest: PullRequestKey & { headSha: string; installationId: number },
  patterns: readonly string[],
): Promise<boolean> {
  const { owner, repo, number, headSha, installationId } = pullRequest;
  const github = await installationClient(ctx, installationId);
  const request = { owner, repo, pull_number: number, per_page: 100 };
  const isWanted = compileGlobs(patterns);
  const matches = (name: string) => name === CONFIG_FILE || isWanted(name);
  let seen = 0;
  try {
    for await (const { data } of github.paginate.iterator(github.rest.pulls.listFiles, request)) {
      seen += data.length;
      const names = data.flatMap(({ filename, previous_filename: before }) =>
        before ? [filename, before] : [filename],
      );
      if (names.some((name) => matches(name))) return true;
      // What was removed is at no head.
      const kept = data.filter(({ status }) => status !== 'removed');
      if (kept.some(({ contents_url: at }) => (headOf(at) ?? headSha) !== headSha)) return true;
    }
  } catch (error) {
    if (!isGone(error)) throw error;
    ctx.log.info({ err: error, owner, repo, number }, 'could not read the changed files of a pull request');
    return true;
  }
  return seen === 0 || seen >= MOST_FILES;
}

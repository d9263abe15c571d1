import { z } from 'zod';
import { commentMarker, formatComment, isCommentDue, type CommentPart } from '../../pull-requests/check/comment.ts';
import type { ToldOnPullRequest } from '../../pull-requests/check/told.ts';
import { keepTold } from '../../pull-requests/pull-request-store.ts';
import type { PullRequestKey } from '../../runs/run.ts';
import { sha256Of } from '../../text/sha256.ts';
import { readStatus, type GitHub, type GitHubContext } from '../app/github-client.ts';
import { checkLinks } from './check-links.ts';

/** Somebody deleted it. */
const MISSING = new Set([404, 410]);

/** A pull request with more pages of comments gets another one if we don't know the number of ours. */
const MOST_PAGES = 10;

const Comments = z.array(
  z.object({
    id: z.int(),
    body: z.string().nullish(),
    performed_via_github_app: z.object({ id: z.int() }).nullish().catch(null),
  }),
);

const toIssue = ({ owner, repo, number }: PullRequestKey) => ({ owner, repo, issue_number: number });

/** Our comment, by its marker, if the answer to the request that made it was lost. Anyone can copy the marker. */
async function findComment(
  github: GitHub,
  pull: PullRequestKey,
  marker: string,
  appId: number,
): Promise<number | null> {
  const comments = { ...toIssue(pull), per_page: 100 };
  let pages = 0;
  for await (const { data } of github.paginate.iterator(github.rest.issues.listComments, comments)) {
    const ours = Comments.parse(data).find(
      ({ body, performed_via_github_app: app }) => app?.id === appId && body?.startsWith(marker) === true,
    );
    if (ours !== undefined) return ours.id;
    pages += 1;
    if (pages === MOST_PAGES) break;
  }
  return null;
}

/** False: somebody deleted it. */
async function editComment(
  github: GitHub,
  { owner, repo }: PullRequestKey,
  id: number,
  body: string,
): Promise<boolean> {
  try {
    await github.rest.issues.updateComment({ owner, repo, comment_id: id, body });
    return true;
  } catch (error) {
    if (MISSING.has(readStatus(error) ?? 0)) return false;
    throw error;
  }
}

/** @returns the number of the comment */
async function makeComment(github: GitHub, pull: PullRequestKey, body: string, marker: string, appId: number) {
  const lost = await findComment(github, pull, marker, appId);
  if (lost !== null && (await editComment(github, pull, lost, body))) return lost;
  const { data } = await github.rest.issues.createComment({ ...toIssue(pull), body });
  return data.id;
}

function toParts({ config }: GitHubContext, { suites }: ToldOnPullRequest, withImages: boolean): CommentPart[] {
  return suites
    .filter(({ suite }) => suite.config.pullRequestComment)
    .map(({ suite, check }) => ({ suiteName: suite.name, check, links: checkLinks(config, check.run, withImages) }));
}

/**
 * Makes the one comment on an open pull request say what its suites found. It is edited in place. If somebody deleted
 * it, it comes again with the next run, and not before (docs/rules.md, Pull requests).
 */
export async function showComment(
  ctx: GitHubContext,
  told: ToldOnPullRequest,
  { github, appId, withImages }: { github: () => Promise<GitHub>; appId: number; withImages: boolean },
): Promise<void> {
  const { pullRequest: pull, comment: shown } = told;
  const parts = toParts(ctx, told, withImages);
  if (pull.state !== 'OPEN' || parts.length === 0 || (shown === null && !isCommentDue(parts))) return;
  const { publicUrl } = ctx.config;
  const body = formatComment(parts, { headSha: pull.headSha, publicUrl });
  const fingerprint = sha256Of(body);
  if (shown?.fingerprint === fingerprint) return;
  const runs = parts.map(({ check }) => check.run.id);
  const client = await github();
  if (shown !== null && shown.id !== null && (await editComment(client, pull, shown.id, body))) {
    await keepTold(ctx.db, pull, { comment: { ...shown, fingerprint } });
    return;
  }
  const isMadeFor = runs.every((id) => shown?.runs.includes(id) === true);
  const id = isMadeFor ? null : await makeComment(client, pull, body, commentMarker(publicUrl), appId);
  await keepTold(ctx.db, pull, { comment: { id, fingerprint, runs } });
}

import { z } from 'zod';
import { inTransaction } from '../../db/database.ts';
import { conflict, notFound } from '../../errors.ts';
import { followPullRequest } from '../../pull-requests/follow-pull-request.ts';
import { findNewestAttempt } from '../../pull-requests/pull-request-run-store.ts';
import { lockPullRequests } from '../../pull-requests/pull-request-store.ts';
import type { PullRequest } from '../../pull-requests/pull-request.ts';
import { startPullRequestRun } from '../../pull-requests/start-pull-request-run.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { findLinkedSuite } from '../../suites/linked-suites.ts';
import type { CodeHostLink, SuiteFor } from '../../suites/suite.ts';
import { installationClient, readItems, unlessRefused, type GitHubContext } from '../app/github-client.ts';
import { readPull } from '../catch-up/synchronize-repository.ts';
import { confirmLink } from '../sign-in/may-link.ts';

/** The maximum number of open pull requests that are listed, the last changed first. */
export const MOST_PULLS = 20;

export type OpenPull = { number: number; title: string; author: string | null; branch: string; updatedAt: Date };

const Listed = z
  .object({
    number: z.int(),
    title: z.string(),
    user: z.object({ login: z.string() }).nullable().catch(null),
    head: z.object({ ref: z.string() }),
    updated_at: z.coerce.date(),
  })
  .transform(({ number, title, user, head, updated_at: updatedAt }): OpenPull => ({
    number,
    title,
    author: user?.login ?? null,
    branch: head.ref,
    updatedAt,
  }));

/** The linked repository, if the viewer's own GitHub account sees it: not all who may read a suite do. */
async function getVisibleLink(ctx: GitHubContext, { codehost, viewer }: SuiteFor): Promise<CodeHostLink> {
  if (codehost === null) throw conflict('The suite is not linked to a repository', 'not_linked');
  await confirmLink(ctx, viewer, codehost);
  return codehost;
}

/**
 * The open pull requests of the suite's repository.
 * @throws AppError forbidden (the viewer's GitHub account does not see the repository), conflict (no repository is
 * linked), unavailable.
 */
export async function listOpenPulls(ctx: GitHubContext, suite: SuiteFor): Promise<OpenPull[]> {
  const { owner, repo, installationId } = await getVisibleLink(ctx, suite);
  const github = await installationClient(ctx, installationId);
  const answer = await unlessRefused(ctx, async () =>
    github.rest.pulls.list({ owner, repo, state: 'open', sort: 'updated', direction: 'desc', per_page: MOST_PULLS }),
  );
  return readItems(Listed, answer?.data);
}

async function readOpenPull(ctx: GitHubContext, link: CodeHostLink, number: number): Promise<PullRequest> {
  const { owner, repo, installationId } = link;
  const github = await installationClient(ctx, installationId);
  const answer = await unlessRefused(ctx, async () => github.rest.pulls.get({ owner, repo, pull_number: number }));
  const told = answer === null ? undefined : readPull(answer.data, installationId)?.told;
  if (told === undefined) throw notFound('Pull request');
  if (told.state !== 'OPEN') throw conflict(`Pull request #${number} is not open`, 'not_open');
  return told;
}

/**
 * Starts the suite's run of an open pull request's head, as if it had been opened now, and looks for its preview. An
 * existing run of the head is kept, unless it ended before it captured anything.
 * @returns the ID of the run
 * @throws AppError forbidden, conflict (nothing linked, inactive, not open any more), not_found, unavailable.
 */
export async function tryPullRequest(
  ctx: GitHubContext,
  suite: SuiteFor<'suite.run'>,
  number: number,
): Promise<string> {
  const link = await getVisibleLink(ctx, suite);
  if (!suite.isActive) throw conflict('The suite is not active', 'suite_inactive');
  const told = await readOpenPull(ctx, link, number);
  return inTransaction(ctx.db, async (trx) => {
    const { db: _, ...rest } = ctx;
    await lockPullRequests(trx, told);
    const linked = await findLinkedSuite({ ...rest, db: trx }, link, suite.id);
    if (linked === null) throw conflict('The suite is not linked to a repository', 'not_linked');
    const current = await followPullRequest(
      trx,
      ctx,
      [linked],
      [{ action: 'opened', before: null, pullRequest: told }],
    );
    const last = await findNewestAttempt(trx, suite.id, current);
    const hasEndedEarly = last !== null && last.reason !== null;
    const again = hasEndedEarly ? await startPullRequestRun(trx, ctx, linked, current, 'any end') : null;
    const runId = again ?? last?.id;
    if (runId === undefined)
      throw conflict(`Pull request #${number} has changed in the meantime. Try again.`, 'changed_meanwhile');
    // Its preview may be there already.
    await enqueue(trx, 'synchronize-repository', { owner: current.owner, repo: current.repo, what: 'previews' });
    ctx.log.info({ suiteId: suite.id, number, runId }, 'pull request tried');
    return runId;
  });
}

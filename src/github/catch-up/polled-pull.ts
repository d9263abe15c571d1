import { z } from 'zod';
import type { PullRequest } from '../../pull-requests/pull-request.ts';
import type { RepositoryKey } from '../../suites/repository-key.ts';
import type { Delivery } from '../webhooks/read-delivery.ts';
import { PullRequestShape } from '../webhooks/event-shapes.ts';
import { readPullRequestEvent } from '../webhooks/pull-request-news.ts';

/** A pull request as GitHub's API lists it: what its webhooks have of it, and its repository. */
const Pull = z.looseObject({ base: z.looseObject({ repo: z.looseObject({ full_name: z.string() }) }) });

/** `payload`: what a webhook has beside the pull request. */
export type Polled = { number: number; updatedAt: Date; told: PullRequest; pull: object; payload: object };

/** Null: it cannot be read. */
export function readPull(listed: unknown, installationId: number): Polled | null {
  const { data: pull } = Pull.safeParse(listed);
  if (pull === undefined) return null;
  const payload = { repository: pull.base.repo, installation: { id: installationId } };
  const { data: event } = PullRequestShape.safeParse({ ...payload, action: 'polled', pull_request: pull });
  if (event === undefined) return null;
  const { pullRequest: told } = readPullRequestEvent(event, installationId);
  return { number: told.number, updatedAt: told.changedAt, told, pull, payload };
}

/** The actions of the webhooks that would have told the difference, in their order. Pure. */
export function findMissedActions(known: PullRequest | null, told: PullRequest): string[] {
  const action = findMissedAction(known, told);
  if (action === null) return [];
  // What was pushed and merged at once is still to be seen.
  const isPushed = told.state === 'MERGED' && known?.state === 'OPEN' && told.headSha !== known.headSha;
  return isPushed ? ['synchronize', action] : [action];
}

function findMissedAction(known: PullRequest | null, told: PullRequest): string | null {
  // One that was opened and closed meanwhile never had a run.
  if (known === null) return told.state === 'OPEN' ? 'opened' : null;
  if (known.state === 'MERGED') return null;
  // What is listed may be older than a webhook that came since.
  if (told.state !== 'MERGED' && told.changedAt < known.changedAt) return null;
  if (told.state !== 'OPEN') return told.state === known.state ? null : 'closed';
  if (known.state !== 'OPEN') return 'reopened';
  if (told.headSha !== known.headSha) return 'synchronize';
  if (told.draft !== known.draft) return told.draft ? 'converted_to_draft' : 'ready_for_review';
  // One that was known before forks were told apart is not seen as part of a stack.
  const isKnownWhole = known.fromFork !== null || told.fromFork === null;
  return told.baseBranch === known.baseBranch && isKnownWhole ? null : 'edited';
}

/** As a webhook would have told it. It has the same id however often it is polled. */
export function toPullDelivery(
  { owner, repo }: RepositoryKey,
  { payload, pull, told }: Polled,
  action: string,
): Delivery {
  const { number, headSha, changedAt } = told;
  const id = `polled:pull:${owner}/${repo}#${number}:${action}:${headSha}:${changedAt.toISOString()}`;
  const isOver = action === 'closed';
  const before = isOver ? {} : { state: 'open', merged: false, merged_at: null };
  return { id, name: 'pull_request', payload: { ...payload, action, pull_request: { ...pull, ...before } } };
}

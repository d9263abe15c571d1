import { z } from 'zod';
import type { PullRequest } from '../../pull-requests/pull-request.ts';
import type { RepositoryKey } from '../../suites/suite.ts';
import { PullRequestShape } from '../webhooks/event-shapes.ts';
import { readPullRequestEvent } from '../webhooks/on-pull-request.ts';
import type { Delivery } from '../webhooks/read-delivery.ts';

/** A pull request as GitHub's API lists it: the part that webhooks contain as well, and its repository. */
const Pull = z.looseObject({ base: z.looseObject({ repo: z.looseObject({ full_name: z.string() }) }) });

/** `payload`: what a webhook contains besides the pull request. */
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

/** The actions of the webhooks that would have reported the difference, in order. Pure. */
export function findMissedActions(known: PullRequest | null, told: PullRequest): string[] {
  const action = findMissedAction(known, told);
  if (action === null) return [];
  // A push that was merged right away still needs a run.
  const isPushed = told.state === 'MERGED' && known?.state === 'OPEN' && told.headSha !== known.headSha;
  return isPushed ? ['synchronize', action] : [action];
}

function findMissedAction(known: PullRequest | null, told: PullRequest): string | null {
  // A pull request that was opened and closed in the meantime never had a run.
  if (known === null) return told.state === 'OPEN' ? 'opened' : null;
  if (known.state === 'MERGED') return null;
  // The listed state may be older than a webhook that arrived since.
  if (told.state !== 'MERGED' && told.changedAt < known.changedAt) return null;
  if (told.state !== 'OPEN') return told.state === known.state ? null : 'closed';
  if (known.state !== 'OPEN') return 'reopened';
  if (told.headSha !== known.headSha) return 'synchronize';
  if (told.draft !== known.draft) return told.draft ? 'converted_to_draft' : 'ready_for_review';
  return told.baseBranch === known.baseBranch ? null : 'edited';
}

/** The event as a webhook would have delivered it. Its id is the same each time it is polled. */
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

import { z } from 'zod';
import { findHeadsWithoutPreview } from '../../pull-requests/previews/preview-search-store.ts';
import { findDefaultBranch, findPullRequest } from '../../pull-requests/pull-request-store.ts';
import type { PullRequest } from '../../pull-requests/pull-request.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { JobPayloads } from '../../queue/job-kinds.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import type { RepositoryKey } from '../../suites/suite.ts';
import { webAddress } from '../app/addresses.ts';
import { askGitHub, installationClient, type GitHub, type GitHubContext } from '../app/github-client.ts';
import { findInstallation } from '../app/installation-store.ts';
import { PullRequestShape } from '../webhooks/event-shapes.ts';
import { readPullRequestEvent } from '../webhooks/on-pull-request.ts';
import type { Delivery } from '../webhooks/read-delivery.ts';
import { storePolled } from '../webhooks/store-delivery.ts';
import { readHeadSignals, type EventRepository } from './read-signals.ts';

/** How many pages of 100 pull requests are read, the last changed first, and the signals of how many heads. */
const MOST_PAGES = 10;
const MOST_HEADS = 100;
/** Earlier changes are ignored, and older runs no longer get a preview. */
const LONGEST_MS = 30 * 24 * 3_600_000;

/** The pull requests that changed since the time. */
async function readPulls(github: GitHub, at: RepositoryKey, installationId: number, since: Date): Promise<Polled[]> {
  const pulls: Polled[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const order = { state: 'all', sort: 'updated', direction: 'desc' } as const;
    const { data } = await github.request('GET /repos/{owner}/{repo}/pulls', { ...at, ...order, per_page: 100, page });
    const read = data.flatMap((pull: unknown) => readPull(pull, installationId) ?? []);
    pulls.push(...read.filter(({ updatedAt }) => updatedAt >= since));
    if (data.length < 100 || read.some(({ updatedAt }) => updatedAt < since)) break;
  }
  return pulls;
}

async function toDeliveries(ctx: GitHubContext, at: RepositoryKey, pulls: readonly Polled[]): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  // The oldest first, like their webhooks would have arrived.
  for (const pull of pulls.toReversed()) {
    const known = await findPullRequest(ctx.db, { ...at, number: pull.number });
    const actions = findMissedActions(known, pull.told);
    deliveries.push(...actions.map((action) => toPullDelivery(at, pull, action)));
  }
  return deliveries;
}

/** Deployments, statuses and checks of heads that wait for a preview. */
async function readSignals(ctx: GitHubContext, github: GitHub, at: RepositoryKey, since: Date): Promise<void> {
  const heads = await findHeadsWithoutPreview(ctx.db, at, since, MOST_HEADS);
  if (heads.length === 0) return;
  const { owner, repo } = at;
  const defaultBranch = await findDefaultBranch(ctx.db, at);
  const repository: EventRepository = {
    name: repo,
    full_name: `${owner}/${repo}`,
    owner: { login: owner },
    html_url: `${webAddress(ctx.config)}/${owner}/${repo}`,
    ...(defaultBranch === null ? {} : { default_branch: defaultBranch }),
  };
  for (const head of heads) await storePolled(ctx, await readHeadSignals(github, { owner, repo }, repository, head));
}

async function readChanges(ctx: GitHubContext, github: GitHub, at: RepositoryKey, installationId: number, since: Date) {
  // A push may also have been missed.
  await enqueue(ctx.db, 'read-config-file', at);
  const missed = await toDeliveries(ctx, at, await readPulls(github, at, installationId, since));
  await storePolled(ctx, missed);
  ctx.log.info({ ...at, events: missed.length }, 'repository synchronized');
}

/**
 * Job: asks GitHub for previews that runs wait for, and with `everything` also for changes of the repository's pull
 * requests. Missed events are stored as if they had been delivered.
 */
export async function synchronizeRepository(
  ctx: GitHubContext,
  { what, ...at }: JobPayloads['synchronize-repository'],
): Promise<void> {
  const [linked] = await linkedSuites(ctx, at);
  if (linked === undefined) return;
  const { installationId } = linked.suite.codehost;
  const ask = async () => {
    const github = await installationClient(ctx, installationId);
    const installedAt = (await findInstallation(ctx.db, installationId))?.createdAt;
    const since = new Date(Math.max(ctx.clock.now().getTime() - LONGEST_MS, installedAt?.getTime() ?? 0));
    if (what === 'everything') await readChanges(ctx, github, at, installationId, since);
    await readSignals(ctx, github, at, since);
  };
  await askGitHub(ctx, 'synchronize-repository', { ...at, what }, ask, {
    ifGone: (error) => ctx.log.warn({ err: error, ...at }, 'GitHub does not let Pixelgate synchronize a repository'),
  });
}

/** A pull request as GitHub's API lists it: the part that webhooks contain as well, and its repository. */
const Pull = z.looseObject({ base: z.looseObject({ repo: z.looseObject({ full_name: z.string() }) }) });

/** `payload`: what a webhook contains besides the pull request. */
type Polled = { number: number; updatedAt: Date; told: PullRequest; pull: object; payload: object };

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
function toPullDelivery({ owner, repo }: RepositoryKey, { payload, pull, told }: Polled, action: string): Delivery {
  const { number, headSha, changedAt } = told;
  const id = `polled:pull:${owner}/${repo}#${number}:${action}:${headSha}:${changedAt.toISOString()}`;
  const isOver = action === 'closed';
  const before = isOver ? {} : { state: 'open', merged: false, merged_at: null };
  return { id, name: 'pull_request', payload: { ...payload, action, pull_request: { ...pull, ...before } } };
}

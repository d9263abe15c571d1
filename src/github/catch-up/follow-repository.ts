import { findDefaultBranch } from '../../pull-requests/default-branch-store.ts';
import { findHeadsWithoutPreview } from '../../pull-requests/pull-request-run-store.ts';
import { findPullRequest } from '../../pull-requests/pull-request-store.ts';
import { enqueue, postponedTo } from '../../queue/enqueue.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import type { RepositoryKey } from '../../suites/repository-key.ts';
import { webAddress } from '../app/addresses.ts';
import type { GitHub, GitHubContext } from '../app/github-client.ts';
import { installationClient, isGone, readStatus } from '../app/github-client.ts';
import { GitHubBusy } from '../app/respect-rate-limits.ts';
import type { Delivery } from '../webhooks/read-delivery.ts';
import { storePolled } from '../webhooks/store-polled.ts';
import { findInstalledAt, findRepositoryRound, saveRepositoryRound } from './catch-up-store.ts';
import type { RepositoryRound } from './catch-up-store.ts';
import { findMissedActions, readPull, toPullDelivery } from './polled-pull.ts';
import type { Polled } from './polled-pull.ts';
import type { EventRepository } from './polled-signal.ts';
import { isScarce } from './rate-budget.ts';
import { readHeadSignals } from './read-signals.ts';
import { advance, beginOf } from './round.ts';

/** A job looks at as many pages of 100 pull requests, and at the signals of as many heads. */
const MOST_PAGES = 3;
const MOST_HEADS = 20;
/** Older runs got no preview because there is none. */
const WAITING_MS = 24 * 3_600_000;
/** Then the whole list is read again, whatever GitHub says of changes. */
const ETAG_MS = 3_600_000;

type Page = { pulls: unknown[]; isLast: boolean; isScarce: boolean; etag: string | null };

/** Null: nothing has changed since the answer with this tag. GitHub does not count such a question. */
async function readPage(github: GitHub, at: RepositoryKey, page: number, etag: string | null): Promise<Page | null> {
  try {
    const { data, headers } = await github.request('GET /repos/{owner}/{repo}/pulls', {
      ...at,
      state: 'all',
      sort: 'updated',
      direction: 'desc',
      per_page: 100,
      page,
      headers: etag === null ? {} : { 'if-none-match': etag },
    });
    const isLast = !(headers.link ?? '').includes('rel="next"');
    return { pulls: data, isLast, isScarce: isScarce(headers), etag: headers.etag ?? null };
  } catch (error) {
    if (readStatus(error) === 304) return null;
    throw error;
  }
}

type Found = { pulls: Polled[]; next: number | null; etag: string | null };

/** Reads the pull requests that changed since the time, from a page on. */
async function readPulls(
  github: GitHub,
  at: RepositoryKey,
  { installationId, from, begin, etag }: { installationId: number; from: number; begin: Date; etag: string | null },
): Promise<Found> {
  const pulls: Polled[] = [];
  let first: string | null = null;
  for (let number = from; ; number += 1) {
    const page = await readPage(github, at, number, number === 1 ? etag : null);
    if (page === null) return { pulls, next: null, etag };
    if (number === 1) first = page.etag;
    const read = page.pulls.flatMap((pull) => readPull(pull, installationId) ?? []);
    pulls.push(...read.filter(({ updatedAt }) => updatedAt >= begin));
    if (page.isLast || read.some(({ updatedAt }) => updatedAt < begin)) return { pulls, next: null, etag: first };
    if (page.isScarce || number - from + 1 >= MOST_PAGES) return { pulls, next: number + 1, etag: first };
  }
}

async function toDeliveries(ctx: GitHubContext, at: RepositoryKey, pulls: readonly Polled[]): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  // As their webhooks would have come: the oldest first.
  for (const pull of pulls.toReversed()) {
    const known = await findPullRequest(ctx.db, { ...at, number: pull.number });
    const actions = findMissedActions(known, pull.told);
    deliveries.push(...actions.map((action) => toPullDelivery(at, pull, action)));
  }
  return deliveries;
}

/** Deployments, statuses and checks of heads that wait for a preview. @returns what GitHub does not let us read */
async function followSignals(ctx: GitHubContext, github: GitHub, at: RepositoryKey): Promise<string[]> {
  const after = new Date(ctx.clock.now().getTime() - WAITING_MS);
  const heads = await findHeadsWithoutPreview(ctx.db, at, after, MOST_HEADS);
  if (heads.length === 0) return [];
  const { owner, repo } = at;
  const defaultBranch = await findDefaultBranch(ctx.db, at);
  const repository: EventRepository = {
    name: repo,
    full_name: `${owner}/${repo}`,
    owner: { login: owner },
    html_url: `${webAddress(ctx.config)}/${owner}/${repo}`,
    ...(defaultBranch === null ? {} : { default_branch: defaultBranch }),
  };
  const refused = new Set<string>();
  for (const head of heads) {
    const signals = await readHeadSignals(github, { owner, repo }, repository, head);
    await storePolled(ctx, signals.deliveries);
    for (const what of signals.refused) refused.add(what);
  }
  return [...refused];
}

async function look(ctx: GitHubContext, at: RepositoryKey & { installationId: number }): Promise<void> {
  const now = ctx.clock.now();
  const { owner, repo, installationId } = at;
  const round = await findRepositoryRound(ctx.db, at);
  const begin = beginOf(round, now, await findInstalledAt(ctx.db, installationId));
  const github = await installationClient(ctx, installationId);
  const isKept = round !== null && round.etagAt !== null && now.getTime() - round.etagAt.getTime() < ETAG_MS;
  // With the whole list, the configuration file is read again: a push may not have arrived either.
  if (!isKept) await enqueue(ctx.db, 'read-config-file', { owner, repo });
  const asked = { installationId, from: round?.next ?? 1, begin, etag: isKept ? round.etag : null };
  const found = await readPulls(github, { owner, repo }, asked);
  const missed = await toDeliveries(ctx, { owner, repo }, found.pulls);
  await storePolled(ctx, missed);
  const refused = await followSignals(ctx, github, { owner, repo });
  const isSame = found.etag === asked.etag;
  await saveRepositoryRound(ctx.db, at, {
    ...advance(round, round?.startedAt ?? now, found.next, begin),
    etag: asked.from === 1 ? found.etag : (round?.etag ?? null),
    etagAt: asked.from === 1 && !isSame ? now : (round?.etagAt ?? null),
    checkedAt: now,
    problem: refused.length === 0 ? null : `GitHub does not let Pixelgate read the ${refused.join(' and ')}.`,
  });
  if (missed.length > 0) ctx.log.info({ owner, repo, events: missed.length }, 'found events that had not arrived');
  if (found.next !== null) await enqueue(ctx.db, 'follow-repository', { owner, repo });
}

/**
 * Job: asks GitHub for what happened to the pull requests of a repository, and to the previews that are waited for, and
 * stores what did not arrive as if it had been delivered.
 */
export async function followRepository(ctx: GitHubContext, { owner, repo }: RepositoryKey): Promise<void> {
  const [linked] = await linkedSuites(ctx, { owner, repo });
  const installationId = linked?.suite.codehost?.installationId;
  if (installationId === undefined) return;
  try {
    await look(ctx, { owner, repo, installationId });
  } catch (error) {
    if (error instanceof GitHubBusy) {
      await enqueue(ctx.db, 'follow-repository', { owner, repo }, postponedTo(error.until));
      return;
    }
    if (!isGone(error)) throw error;
    ctx.log.warn({ err: error, owner, repo }, 'GitHub does not let Pixelgate follow a repository');
    const now = ctx.clock.now();
    const none: RepositoryRound = {
      completeUntil: now,
      startedAt: null,
      next: null,
      etag: null,
      etagAt: null,
      checkedAt: now,
      problem: null,
    };
    const round = (await findRepositoryRound(ctx.db, { owner, repo })) ?? none;
    const problem = 'GitHub does not let Pixelgate list the pull requests.';
    await saveRepositoryRound(
      ctx.db,
      { owner, repo },
      { ...round, next: null, startedAt: null, checkedAt: now, problem },
    );
  }
}

import { isRecent } from '../../async/is-recent.ts';
import type { Context } from '../../context.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { JobPayloads } from '../../queue/job-kinds.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { readCredentials } from '../app/credentials.ts';
import { appClient, askGitHub, isGone, type GitHub, type GitHubContext } from '../app/github-client.ts';
import {
  addMissed,
  claimMissed,
  findDeliveryRound,
  findLastAsked,
  findUnasked,
  releaseMissed,
  removeMissedBefore,
  saveDeliveryRound,
  type MissedDelivery,
} from './catch-up-store.ts';
import { beginOf, findMissed, readAttempts, type Attempt } from './missed-delivery.ts';

/** How many pages of 100 deliveries a job reads, and how many redeliveries it requests. Another job continues. */
const MOST_PAGES = 10;
const MOST_ASKED = 10;
/** The wait after a requested redelivery, before checking whether deliveries arrive. */
const PROBE_MS = 15_000;
/** The wait before another redelivery is requested, if the last one did not arrive either. */
const NEXT_PROBE_MS = 10 * 60_000;
const KEPT_MS = 7 * 86_400_000;

type Payload = JobPayloads['redeliver-missed'];

/** The cursor of the next page from a `Link` header: `<address>; rel="next", …`. Null: there is none. */
function readCursor(link: string): string | null {
  const next = link.split(',').find((part) => part.includes('rel="next"')) ?? '';
  const address = next.slice(next.indexOf('<') + 1, next.indexOf('>'));
  return parseUrl(address)?.searchParams.get('cursor') ?? null;
}

async function readPage(app: GitHub, cursor: string | null): Promise<{ attempts: Attempt[]; next: string | null }> {
  const { data, headers } = await app.request('GET /app/hook/deliveries', {
    per_page: 100,
    ...(cursor === null ? {} : { cursor }),
  });
  return { attempts: readAttempts(data), next: readCursor(headers.link ?? '') };
}

type Seen = {
  attempts: Attempt[];
  /** Where to continue. Null: that was all. */
  next: string | null;
  /** The newest attempt of all failed. */
  isNewestMissed: boolean;
};

/**
 * Reads what GitHub tried to deliver since that time, newest first. @param from where to continue; null: start with the
 * newest
 */
async function readSince(app: GitHub, from: string | null, begin: Date): Promise<Seen> {
  const attempts: Attempt[] = [];
  let next = from;
  let newest: Attempt | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await readPage(app, next);
    newest ??= page.attempts[0];
    attempts.push(...page.attempts.filter(({ deliveredAt }) => deliveredAt >= begin));
    const isOver = page.attempts.length === 0 || page.attempts.some(({ deliveredAt }) => deliveredAt < begin);
    next = isOver ? null : page.next;
    if (next === null) break;
  }
  return { attempts, next, isNewestMissed: newest?.isTaken === false };
}

async function ask(ctx: GitHubContext, app: GitHub, { id, attemptId, event }: MissedDelivery): Promise<void> {
  if (!(await claimMissed(ctx.db, id, ctx.clock.now()))) return;
  try {
    await app.request('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id: attemptId });
    ctx.log.info({ delivery: id, event }, 'asked GitHub to deliver again what had not arrived');
  } catch (error) {
    if (!isGone(error)) {
      await releaseMissed(ctx.db, id);
      throw error;
    }
    ctx.log.warn({ err: error, delivery: id, event }, 'GitHub does not redeliver missed events');
  }
}

async function look(ctx: GitHubContext, appId: number, { round }: Payload): Promise<void> {
  const now = ctx.clock.now();
  const app = await appClient(ctx);
  const last = await findDeliveryRound(ctx.db, appId);
  const begin = beginOf(last?.completeUntil ?? null, now);
  const { attempts, next, isNewestMissed } = await readSince(app, round?.cursor ?? null, begin);
  await addMissed(ctx.db, findMissed(attempts));
  const startedAt = round?.startedAt ?? now;
  const completeUntil = next === null ? startedAt : (last?.completeUntil ?? begin);
  await saveDeliveryRound(ctx.db, appId, { completeUntil, checkedAt: now, problem: null });
  if (round !== undefined || next !== null) {
    await enqueue(ctx.db, 'redeliver-missed', next === null ? {} : { round: { startedAt, cursor: next } });
    return;
  }
  const missed = await findUnasked(ctx.db, MOST_ASKED);
  if (missed.length === 0) return;
  const lastAsked = isNewestMissed ? await findLastAsked(ctx.db) : null;
  if (lastAsked !== null && isRecent(now, lastAsked, NEXT_PROBE_MS)) return;
  // While nothing arrives, attempts would be wasted, so only one at a time is made.
  for (const each of isNewestMissed ? missed.slice(0, 1) : missed) await ask(ctx, app, each);
  const again = isNewestMissed ? { runAt: new Date(now.getTime() + PROBE_MS) } : {};
  await enqueue(ctx.db, 'redeliver-missed', {}, again);
}

/**
 * Job: asks GitHub which deliveries failed, and to send each again, once, if no attempt arrived. Deliveries that
 * arrived nevertheless are recognized by their id.
 */
export async function redeliverMissed(ctx: GitHubContext, payload: Payload): Promise<void> {
  const credentials = await readCredentials(ctx);
  if (credentials === null) return;
  const { appId } = credentials;
  const lookOnce = async () => {
    await look(ctx, appId, payload);
    await removeMissedBefore(ctx.db, new Date(ctx.clock.now().getTime() - KEPT_MS));
  };
  const ifGone = async (error: unknown) => {
    ctx.log.warn({ err: error }, 'GitHub does not list deliveries');
    const now = ctx.clock.now();
    const { completeUntil } = (await findDeliveryRound(ctx.db, appId)) ?? { completeUntil: now };
    const problem = 'GitHub does not list the deliveries of the app.';
    await saveDeliveryRound(ctx.db, appId, { completeUntil, checkedAt: now, problem });
  };
  await askGitHub(ctx, 'redeliver-missed', payload, lookOnce, { ifGone });
}

/** How often GitHub is asked for deliveries that failed. */
const DELIVERIES_MS = 2 * 60_000;

/** Runs periodically: queues the job that asks GitHub for missed deliveries. A waiting job is not changed. */
export async function catchUp(ctx: Pick<Context, 'config' | 'db' | 'clock' | 'log'>): Promise<void> {
  const credentials = await readCredentials(ctx);
  if (credentials === null) return;
  const round = await findDeliveryRound(ctx.db, credentials.appId);
  if (round !== null && isRecent(ctx.clock.now(), round.checkedAt, DELIVERIES_MS)) return;
  await enqueue(ctx.db, 'redeliver-missed', {}, { keyMode: 'unsafe_dedupe' });
}

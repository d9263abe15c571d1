import type { Context } from '../../context.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { readCredentials } from '../app/credentials.ts';
import { findDeliveryRound, findDueRepositories } from './catch-up-store.ts';

/** How often GitHub is asked for deliveries that failed, and for what happened in a repository. */
const DELIVERIES_MS = 2 * 60_000;
const REPOSITORIES_MS = 5 * 60_000;
/** In one round of the clock. */
const MOST_REPOSITORIES = 50;

/** Runs periodically: queues jobs that ask GitHub for what did not arrive. Those that wait already stay as they are. */
export async function catchUp(ctx: Pick<Context, 'config' | 'db' | 'clock' | 'log'>): Promise<void> {
  const credentials = await readCredentials(ctx);
  if (credentials === null) return;
  const now = ctx.clock.now().getTime();
  const round = await findDeliveryRound(ctx.db, credentials.appId);
  const kept = { keyMode: 'unsafe_dedupe' } as const;
  if (round === null || round.checkedAt.getTime() < now - DELIVERIES_MS) {
    await enqueue(ctx.db, 'redeliver-missed', {}, kept);
  }
  const due = await findDueRepositories(ctx.db, new Date(now - REPOSITORIES_MS), MOST_REPOSITORIES);
  for (const { owner, repo } of due) await enqueue(ctx.db, 'follow-repository', { owner, repo }, kept);
}

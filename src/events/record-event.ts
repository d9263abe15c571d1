import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import { cut } from '../text/format.ts';
import { changeCommentText, insertEvent, removeEvents } from './event-store.ts';
import { isTold, type Actor, type NewEvent } from './event.ts';

/**
 * Records what happened, and queues the job that tells whoever wants to hear of it. `trx` is the transaction of the change
 * itself, so that none of them is stored without the others.
 */
export async function recordEvent(trx: Db, actor: Actor, event: NewEvent): Promise<void> {
  const eventId = await insertEvent(trx, actor, event);
  if (isTold(event.kind)) await enqueue(trx, 'tell-event', { eventId });
}

/** How much of a comment an event tells. */
const EXCERPT_LENGTH = 300;

export const excerptOf = (comment: string): string => cut(comment, EXCERPT_LENGTH);

/**
 * Keeps only what a comment says now, and nothing of a deleted one (`body` null). It runs in the transaction of the change
 * itself.
 */
export async function recordCommentChange(
  trx: Db,
  { id, runId }: { id: string; runId: string },
  body: string | null,
): Promise<void> {
  await changeCommentText(trx, runId, id, body === null ? null : excerptOf(body));
}

const DAY_MS = 86_400_000;
const AT_ONCE = 1000;
/** The rest is removed the next time. */
const MOST_STEPS = 100;

/** Deletes events that are older than `EVENTS_DAYS`, a few at a time. */
export async function pruneEvents({ config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - config.eventsDays * DAY_MS);
  for (let step = 0; step < MOST_STEPS; step++) {
    if ((await removeEvents(db, before, AT_ONCE)) < AT_ONCE) return;
  }
}

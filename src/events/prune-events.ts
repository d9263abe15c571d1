import type { Context } from '../context.ts';
import { removeEvents } from './event-store.ts';

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

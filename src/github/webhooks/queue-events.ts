import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { enqueueAll, jobKey } from '../../queue/enqueue.ts';
import { findKeysWithoutJob } from '../../queue/has-jobs.ts';
import { findWaitingSubjects } from './delivery-store.ts';

type EventQueue = {
  /** Queues the job for what was just stored, soon, without delaying the response to the delivery. */
  add(subject: string): void;
  /** Resolves when everything that was added is queued, or could not be. */
  settled(): Promise<void>;
};

/**
 * Jobs that are added within this time after a statement are queued by the next one, because each statement costs a
 * disk write.
 */
const PAUSE_MS = 100;

async function queueAll(db: Db, subjects: string[]): Promise<void> {
  await enqueueAll(
    db,
    'take-events',
    subjects.map((subject) => ({ payload: { subject } })),
  );
}

/** One statement queues everything that was added while the previous one ran, so that a burst needs few of them. */
export function openEventQueue({ db, log }: Pick<Context, 'db' | 'log'>): EventQueue {
  const waiting = new Set<string>();
  let running: Promise<void> | null = null;

  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const subjects = [...waiting];
      waiting.clear();
      try {
        await queueAll(db, subjects);
      } catch (error) {
        log.warn({ err: error, subjects: subjects.length }, 'stored events wait for the next sweep');
      }
      await sleep(PAUSE_MS);
    }
    running = null;
  }

  return {
    add(subject) {
      waiting.add(subject);
      running ??= flush();
    },
    settled: async () => running ?? Promise.resolve(),
  };
}

const OVERDUE_MS = 5_000;
const MOST_AT_ONCE = 10_000;

/**
 * Runs periodically: queues jobs for events that were stored by a process that died before it had queued them. Waiting
 * and running jobs are not changed.
 */
export async function sweepEvents({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): Promise<void> {
  const before = new Date(clock.now().getTime() - OVERDUE_MS);
  const waiting = await findWaitingSubjects(db, before, MOST_AT_ONCE);
  const keyOf = (subject: string) => jobKey('take-events', { subject }) ?? '';
  const missing = await findKeysWithoutJob(db, waiting.map(keyOf));
  const subjects = waiting.filter((subject) => missing.has(keyOf(subject)));
  if (subjects.length === 0) return;
  await queueAll(db, subjects);
  log.info({ subjects: subjects.length }, 'queued jobs for stored events that had none');
}

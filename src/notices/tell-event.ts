import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { findEvent } from '../events/event-store.ts';
import type { RecordedEvent } from '../events/event.ts';
import { enqueue, enqueueAll, postponedTo } from '../queue/enqueue.ts';
import { listChanges } from '../review/changes/list-changes.ts';
import { nameRun } from '../runs/run-name.ts';
import { findRun } from '../runs/run-store.ts';
import { findSuite } from '../suites/suite-store.ts';
import { isHeard } from './choice.ts';
import { boundDeliveries, insertDeliveries } from './delivery-store.ts';
import { findListenersTo, insertWaiting } from './digest-store.ts';
import { isFailure, type Message } from './message.ts';
import { findListeners } from './target-store.ts';

type Addresses = Pick<Config, 'publicUrl'>;

/** How many causes a message names. */
const CAUSES = 10;

/** Events about what a run found. */
const OF_FINDINGS = new Set(['run.completed', 'review.required', 'drift.found']);

async function readSuite(db: Db, { publicUrl }: Addresses, id: string | null): Promise<Message['data']['suite']> {
  const suite = id === null ? null : await findSuite(db, id);
  return suite === null ? null : { id: suite.id, name: suite.name, url: `${publicUrl}/suites/${suite.id}` };
}

async function readRun(db: Db, { publicUrl }: Addresses, id: string | null): Promise<Message['data']['run']> {
  const run = id === null ? null : await findRun(db, id);
  return run === null
    ? null
    : { id: run.id, number: run.number, name: nameRun(run), url: `${publicUrl}/runs/${run.id}` };
}

async function readCauses(db: Db, runId: string): Promise<Message['data']['causes']> {
  const { groups } = await listChanges({ db }, { id: runId }, { limit: CAUSES }, 0);
  return groups.map(({ summary, element, count }) => ({ summary, element, results: count }));
}

/** What to tell of an event. What was deleted since is null. */
async function readMessage(db: Db, config: Addresses, event: RecordedEvent): Promise<Message> {
  const { kind, at, actor, suiteId, runId, details } = event;
  const run = await readRun(db, config, runId);
  return {
    type: kind,
    timestamp: at.toISOString(),
    data: {
      suite: await readSuite(db, config, suiteId),
      run,
      actor: { kind: actor.kind, name: actor.name, via: actor.via },
      causes: run !== null && OF_FINDINGS.has(kind) ? await readCauses(db, run.id) : [],
      details: { ...details },
    },
  };
}

/** Programs and channels that listen to the suite of an event, or to the installation. */
async function tellTargets(trx: Db, event: RecordedEvent, config: Pick<Config, 'publicUrl'>): Promise<void> {
  const failed = isFailure(event.kind, { ...event.details });
  const found = await findListeners(trx, event.kind, event.suiteId);
  const ids = found.filter(({ tells }) => tells === 'ALWAYS' || failed).map(({ id }) => id);
  if (ids.length === 0) return;
  await insertDeliveries(trx, ids, `event_${event.id}`, await readMessage(trx, config, event));
  for (const id of ids) await boundDeliveries(trx, id);
  await enqueueAll(
    trx,
    'send-deliveries',
    ids.map((targetId) => ({ payload: { targetId } })),
  );
}

/** People are told together of what happens together. */
const GATHERED_MS = 60_000;

/** People who chose to hear of the event by email. Without a mail server, nobody. */
async function tellPeople(trx: Db, event: RecordedEvent, config: Pick<Config, 'smtpUrl'>): Promise<void> {
  if (config.smtpUrl === null) return;
  const listeners = await findListenersTo(trx, event.id);
  const userIds = listeners.filter((listener) => isHeard(listener, event)).map(({ userId }) => userId);
  if (userIds.length === 0) return;
  await insertWaiting(trx, event.id, userIds);
  const runAt = new Date(event.at.getTime() + GATHERED_MS);
  for (const userId of userIds) await enqueue(trx, 'send-digest', { userId }, postponedTo(runAt));
}

/**
 * Job: finds out who wants to hear of an event, and queues the jobs that tell them. All of them are stored at once, or
 * the job runs again. A second time adds nothing.
 */
export async function tellEvent(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { eventId }: { eventId: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const event = await findEvent(trx, eventId);
    if (event === null) return;
    await tellTargets(trx, event, config);
    await tellPeople(trx, event, config);
  });
}

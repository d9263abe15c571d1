import { z } from 'zod';
import { toColumns } from '../../db/camel-case.ts';
import { computed, readRows, type Db } from '../../db/database.ts';

/** A delivery as it is stored on arrival. */
export type NewDelivery = {
  /** GitHub's `X-GitHub-Delivery`. A redelivery has the same id. */
  id: string;
  event: string;
  action: string | null;
  installationId: number | null;
  /** `owner/repo`, in lower case. */
  repository: string | null;
  receivedAt: Date;
  /** What the event is about. Events of one subject are handled one at a time. Null: there is nothing to do. */
  subject: string | null;
  /** See `StoredPayload`. */
  payload: string | null;
  /** GitHub did not deliver it. It was read from GitHub's API. */
  polled: boolean;
};

/**
 * Of two with one id at the same time, the second waits here for the first to commit or roll back.
 * @returns the ids of those that were not recorded before.
 */
export async function insertDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<Set<string>> {
  const inserted = await db('webhook_deliveries')
    .insert(deliveries.map((delivery) => toColumns(delivery)))
    .onConflict('id')
    .ignore()
    .returning('id');
  return new Set(inserted.map(({ id }) => id));
}

export type WaitingEvent = Pick<
  NewDelivery,
  'id' | 'event' | 'installationId' | 'repository' | 'payload' | 'receivedAt'
>;

/** The oldest unhandled events of a subject, locked until the transaction ends. */
export async function lockWaiting(trx: Db, subject: string, most: number): Promise<WaitingEvent[]> {
  return trx('webhook_deliveries')
    .where({ subject })
    .whereNull('handled_at')
    .orderBy('sequence')
    .limit(most)
    .forUpdate()
    .select('id', 'event', 'installation_id', 'repository', 'payload', 'received_at');
}

/** Their payloads are not needed any more. */
export async function setHandled(db: Db, ids: string[], at: Date): Promise<void> {
  await db('webhook_deliveries').whereIn('id', ids).update({ handled_at: at, payload: null });
}

/** @returns how often it has failed so far. */
export async function countFailure(db: Db, id: string): Promise<number> {
  const [row] = await db('webhook_deliveries')
    .where({ id })
    .update({ failures: db.raw('failures + 1') })
    .returning('failures');
  return row?.failures ?? 0;
}

/** How many seconds the oldest event has waited that is still to be handled. */
export async function findWebhookLag(db: Db): Promise<number> {
  const [lag] = await readRows(
    db,
    z.object({ seconds: z.number() }),
    `select coalesce(extract(epoch from now() - min(received_at)), 0)::double precision as seconds
     from webhook_deliveries where handled_at is null and subject is not null`,
  );
  return lag?.seconds ?? 0;
}

/**
 * True when GitHub has reported the installation as deleted, and the current event is older.
 * @param changedAt GitHub's time of the current event; null counts as older
 */
export async function wasUninstalled(db: Db, installationId: number, changedAt: Date | null): Promise<boolean> {
  const query = db('webhook_deliveries').where({
    event: 'installation',
    action: 'deleted',
    installation_id: installationId,
  });
  if (changedAt !== null) void query.where('received_at', '>=', changedAt);
  return (await query.first('id')) !== null;
}

/** Removes those before the time, and the oldest beyond the number that is kept. */
export async function removeDeliveries(db: Db, before: Date, most: number): Promise<void> {
  await db.raw(
    `delete from webhook_deliveries where received_at < :before or received_at < (
       select received_at from webhook_deliveries order by received_at desc offset :most limit 1
     )`,
    { before, most },
  );
}

/** The newest delivery of each event about the repository or about its installation as a whole, newest first. */
export async function findLastDeliveries(
  db: Db,
  installationId: number,
  repository: string,
): Promise<Pick<NewDelivery, 'event' | 'receivedAt'>[]> {
  return db('webhook_deliveries')
    .where({ polled: false })
    .where((about) =>
      about
        .where({ repository: repository.toLowerCase() })
        .orWhere({ repository: null, installation_id: installationId }),
    )
    .groupBy('event')
    .orderBy('received_at', 'desc')
    .select('event', computed(db, 'received_at', 'timestamptz', 'max(received_at)'));
}

/** Whether GitHub has delivered anything that is still recorded. */
export async function hasDelivery(db: Db): Promise<boolean> {
  return (await db('webhook_deliveries').where({ polled: false }).orderBy('received_at', 'desc').first('id')) !== null;
}

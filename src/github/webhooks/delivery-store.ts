import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';

export type DeliveryRecord = {
  /** GitHub's `X-GitHub-Delivery`. A redelivery has the same id. */
  id: string;
  event: string;
  action: string | null;
  installationId: number | null;
  /** `owner/repo`, in lower case. */
  repository: string | null;
  receivedAt: Date;
};

/**
 * False when the delivery was recorded before. Of two at the same time, the second waits here for the first to commit
 * or roll back.
 */
export async function insertDelivery(db: Db, delivery: DeliveryRecord): Promise<boolean> {
  const inserted = await db('webhook_deliveries')
    .insert({
      id: delivery.id,
      event: delivery.event,
      action: delivery.action,
      installation_id: delivery.installationId,
      repository: delivery.repository,
      received_at: delivery.receivedAt,
    })
    .onConflict('id')
    .ignore()
    .returning('id');
  return inserted.length === 1;
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
  return (await query.first('id')) !== undefined;
}

export async function removeDeliveriesBefore(db: Db, time: Date): Promise<number> {
  return db('webhook_deliveries').where('received_at', '<', time).delete();
}

export type LastDelivery = { event: string; receivedAt: Date };

/** The newest delivery of each event about the repository or about its installation as a whole, newest first. */
export async function findLastDeliveries(db: Db, installationId: number, repository: string): Promise<LastDelivery[]> {
  return db('webhook_deliveries')
    .where({ repository: repository.toLowerCase() })
    .orWhere({ repository: null, installation_id: installationId })
    .groupBy('event')
    .orderBy('received_at', 'desc')
    .select('event', computed(db, 'received_at', 'timestamptz', 'max(received_at)'));
}

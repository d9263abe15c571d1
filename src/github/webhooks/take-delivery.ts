import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { hasCode } from '../../errors.ts';
import { recordDefaultBranch } from '../../pull-requests/record-default-branch.ts';
import { toRepositoryKey } from '../../suites/repository-key.ts';
import { insertDelivery, removeDeliveriesBefore } from './delivery-store.ts';
import { EVENT_TABLE } from './event-table.ts';

/** A message from GitHub with a valid signature. */
export type Delivery = { id: string; name: string; payload: unknown };

/** Fields that most payloads have. A payload without them is recorded without them. */
const Common = z.object({
  action: z.string().optional().catch(undefined),
  installation: z.object({ id: z.int() }).optional().catch(undefined),
  repository: z
    .object({
      full_name: z.string(),
      default_branch: z.string().optional().catch(undefined),
      // Seconds since 1970 in some events.
      updated_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

type EventRepository = z.output<typeof Common>['repository'];

async function followDefaultBranch(trx: Db, repository: EventRepository, receivedAt: Date): Promise<void> {
  if (repository?.default_branch === undefined) return;
  const { full_name: name, default_branch: defaultBranch, updated_at: updatedAt } = repository;
  const [owner = '', repo = ''] = name.split('/');
  const toldAt = updatedAt === undefined ? receivedAt : new Date(updatedAt);
  await recordDefaultBranch(trx, toRepositoryKey({ owner, repo }), { defaultBranch, toldAt });
}

/** A deadlock, or the foreign key of a suite that was deleted meanwhile. */
const PASSING = ['40P01', '23503'];
const MOST_TRIES = 4;

/** GitHub sends a delivery only once, so we retry here when it collided with another transaction. */
async function inTransactionAgain<T>(db: Db, work: (trx: Db) => Promise<T>, tries = MOST_TRIES): Promise<T> {
  try {
    return await inTransaction(db, work);
  } catch (error) {
    if (tries === 1 || !PASSING.some((code) => hasCode(error, code))) throw error;
    return inTransactionAgain(db, work, tries - 1);
  }
}

const KEPT_MS = 30 * 86_400_000;

/**
 * Records the delivery and handles its event in one transaction. A repeated delivery changes nothing, even at the
 * same moment (contract 7.16).
 * @throws AppError invalid, when the payload does not fit its event. Then nothing is recorded.
 */
export async function takeDelivery(
  ctx: Pick<Context, 'db' | 'config' | 'clock' | 'log'>,
  delivery: Delivery,
): Promise<void> {
  const { id, name, payload } = delivery;
  const { action, installation, repository } = Common.catch({}).parse(payload);
  const record = {
    id,
    event: name,
    action: action ?? null,
    installationId: installation?.id ?? null,
    repository: repository?.full_name.toLowerCase() ?? null,
    receivedAt: ctx.clock.now(),
  };
  const isNew = await inTransactionAgain(ctx.db, async (trx) => {
    if (!(await insertDelivery(trx, record))) return false;
    await followDefaultBranch(trx, repository, record.receivedAt);
    await EVENT_TABLE.get(name)?.(trx, ctx, payload);
    return true;
  });
  ctx.log.info(
    { delivery: id, event: name, action: record.action, repository: record.repository, isNew },
    'delivery accepted',
  );
}

/** Deletes deliveries that are older than 30 days. */
export async function pruneDeliveries({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await removeDeliveriesBefore(db, new Date(clock.now().getTime() - KEPT_MS));
}

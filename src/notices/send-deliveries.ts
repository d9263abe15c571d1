import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { enqueue, postponedTo } from '../queue/enqueue.ts';
import type { JobRun } from '../queue/job.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { boundDeliveries, findNextDelivery, giveUpWaiting, saveAttempt } from './delivery-store.ts';
import { nextWait, type Attempt, type Delivery } from './delivery.ts';
import { changeTarget, findRecipient, lockTarget, resumeTarget } from './target-store.ts';
import { TARGET_SECRETS } from './target.ts';

type SendContext = Pick<Context, 'config' | 'db' | 'network' | 'storage' | 'clock' | 'log'>;

/** The most messages that one job sends. Another job sends the rest, so that other targets get their turn. */
const AT_ONCE = 20;

/** Nothing more is sent until a message that somebody sends by hand arrives. */
async function stopTarget(trx: Db, targetId: string, because: string): Promise<void> {
  await changeTarget(trx, targetId, { stoppedBecause: because });
  await giveUpWaiting(trx, targetId, because);
}

/** @param sealed the secrets with which it was sent */
async function save(ctx: SendContext, delivery: Delivery, attempt: Attempt, sealed: string): Promise<void> {
  const { id, targetId } = delivery;
  const triedAt = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    // Locked before its deliveries, in the same order as by changes of the target, so that neither blocks the other.
    const target = await lockTarget(trx, targetId);
    // The address may have changed since. The answer of the old one says nothing about the new one.
    if (attempt.error !== null && target?.sealed !== sealed) return;
    if (attempt.error === null) {
      await saveAttempt(trx, id, attempt, { state: 'SENT', dueAt: triedAt, triedAt });
      await resumeTarget(trx, targetId);
    } else {
      const wait = attempt.isGone ? null : nextWait(delivery.attempts + 1, attempt.retryAfter);
      const dueAt = new Date(triedAt.getTime() + (wait ?? 0));
      await saveAttempt(trx, id, attempt, { state: wait === null ? 'GIVEN_UP' : 'WAITING', dueAt, triedAt });
      if (wait === null) await stopTarget(trx, targetId, attempt.error);
    }
    await boundDeliveries(trx, targetId);
  });
  if (attempt.error !== null) ctx.log.warn({ targetId, delivery: id, error: attempt.error }, 'a target was not told');
}

/**
 * Job: sends what waits for a target, one after the other. A message that does not arrive holds up those after it, so that
 * their order stays. A worker that dies leaves it waiting, so it is sent again.
 */
export async function sendDeliveries(
  ctx: SendContext,
  { targetId }: { targetId: string },
  job: Pick<JobRun, 'isClosing'>,
): Promise<void> {
  for (let sent = 0; sent < AT_ONCE && !job.isClosing(); sent += 1) {
    const [target, delivery] = [await findRecipient(ctx.db, targetId), await findNextDelivery(ctx.db, targetId)];
    if (target === null || delivery === null) return;
    if (delivery.dueAt > ctx.clock.now()) {
      await enqueue(ctx.db, 'send-deliveries', { targetId }, postponedTo(delivery.dueAt));
      return;
    }
    const secrets = TARGET_SECRETS.open(ctx.config, targetId, target.sealed);
    await save(ctx, delivery, await attemptDelivery(ctx, target.kind, secrets, delivery), target.sealed);
  }
  await enqueue(ctx.db, 'send-deliveries', { targetId });
}

import { toActor } from '../auth/to-actor.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { conflict, notFound } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Authorized } from './authorized.ts';
import { deleteUserGrant } from './grant-store.ts';
import type { SharedSuite } from './grant.ts';

/**
 * The viewer gives their role up (docs/rules.md, Who may do what).
 * @throws AppError conflict `owner_cannot_leave`
 */
export async function leaveSuite({ db }: Pick<Context, 'db'>, suite: SharedSuite & Authorized): Promise<void> {
  const { viewer } = suite;
  if (suite.userId === viewer.id) {
    throw conflict('You own this suite. Hand it over to somebody else first.', 'owner_cannot_leave');
  }
  await inTransaction(db, async (trx) => {
    const role = await deleteUserGrant(trx, suite.id, viewer.id);
    // Somebody revoked it in the meantime.
    if (role === null) throw notFound('Suite');
    await recordEvent(trx, toActor(viewer), { kind: 'suite.left', suiteId: suite.id, details: { role } });
  });
}

import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import { enqueue, forSomebodyWaiting } from '../../queue/enqueue.ts';
import { parseHttpUrl } from '../../suites/suite-input.ts';
import { findLook, insertLook, renewLook } from './look-store.ts';
import type { SiteLook } from './site-look.ts';

/**
 * Queues a look at the address, unless one started there a moment ago. A person has one at a time; further ones wait.
 * @param typed the rest of the form, which is shown again with what was found
 * @throws AppError invalid for a malformed address, unprocessable for one that is not allowed.
 */
export async function startLook(
  ctx: Pick<Context, 'db' | 'network'>,
  viewer: Viewer,
  { baseUrl, typed = {} }: { baseUrl: string; typed?: Record<string, string> },
): Promise<SiteLook> {
  const address = parseHttpUrl(baseUrl, 'baseUrl');
  await ctx.network.assertAllowed(address);
  const draft = { userId: viewer.id, address, typed };
  const recent = await renewLook(ctx.db, draft);
  if (recent !== null) return recent;
  const id = await inTransaction(ctx.db, async (trx) => {
    const lookId = await insertLook(trx, draft);
    await enqueue(trx, 'look-at-site', { lookId }, { queue: `look/${viewer.id}`, ...forSomebodyWaiting(viewer.id) });
    return lookId;
  });
  return { id, address, status: 'PENDING', facts: null, picture: null, problem: null, typed };
}

/** @throws AppError not_found, also for a look of somebody else. */
export async function readLook({ db }: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<SiteLook> {
  const look = await findLook(db, { id, user_id: viewer.id });
  if (look === null) throw notFound('Look');
  return look;
}

/** The same, or null. */
export async function findLookOf(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string | null,
): Promise<SiteLook | null> {
  return id === null || id === '' ? null : findLook(db, { id, user_id: viewer.id });
}

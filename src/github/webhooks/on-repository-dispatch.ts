import type { RepositoryDispatchEvent } from './event-shapes.ts';
import type { Db } from '../../db/database.ts';
import type { HandlerContext } from './handler.ts';
import { recordSignal } from '../previews/record-signal.ts';
import { readDispatchSignal } from './read-signal.ts';

/** Vercel reports builds by this event. For a build that it skips it sends no other. */
export async function onRepositoryDispatch(
  trx: Db,
  ctx: HandlerContext,
  payload: RepositoryDispatchEvent,
): Promise<void> {
  const signal = readDispatchSignal(payload);
  if (signal !== null) await recordSignal(trx, ctx, signal);
}

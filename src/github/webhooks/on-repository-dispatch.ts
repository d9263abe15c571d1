import type { RepositoryDispatchEvent } from './event-shapes.ts';
import type { Db } from '../../db/database.ts';
import type { HandlerContext } from './handler.ts';
import { recordSignal } from '../previews/record-signal.ts';
import { readDispatchSignal } from './read-signal.ts';

/** Contract 7.11: Vercel's word of a build, the only one of a build that it leaves out. */
export async function onRepositoryDispatch(
  trx: Db,
  ctx: HandlerContext,
  payload: RepositoryDispatchEvent,
): Promise<void> {
  const signal = readDispatchSignal(payload);
  if (signal !== null) await recordSignal(trx, ctx, signal);
}

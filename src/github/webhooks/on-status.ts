import type { StatusEvent } from './event-shapes.ts';
import type { Db } from '../../db/database.ts';
import type { HandlerContext } from './handler.ts';
import { recordSignal } from '../previews/record-signal.ts';
import { readStatusSignal } from './read-signal.ts';

/** Some hosts announce previews by statuses, and a suite's settings may name any. */
export async function onStatus(trx: Db, ctx: HandlerContext, payload: StatusEvent): Promise<void> {
  const signal = readStatusSignal(payload);
  if (signal !== null) await recordSignal(trx, ctx, signal);
}

import type { DeploymentStatusEvent } from './event-shapes.ts';
import type { Db } from '../../db/database.ts';
import type { HandlerContext } from './handler.ts';
import { recordMergeSignal, recordSignal } from '../previews/record-signal.ts';
import { readDeploymentSignal, readMergeRef } from './read-signal.ts';

/**
 * A success outside production gives the address of the preview, and a failure says that it will not come. Pull
 * requests are found by commit, because their list is empty for forks.
 */
export async function onDeploymentStatus(trx: Db, ctx: HandlerContext, payload: DeploymentStatusEvent): Promise<void> {
  const signal = readDeploymentSignal(payload);
  if (signal === null) return;
  if (readMergeRef(signal.ref) === null) await recordSignal(trx, ctx, signal);
  else await recordMergeSignal(trx, ctx, signal);
}

import type { Db } from '../../db/database.ts';
import { recordMergeSignal, recordSignal } from '../previews/record-signal.ts';
import type { DeploymentStatusEvent, RepositoryDispatchEvent, StatusEvent } from './event-shapes.ts';
import type { HandlerContext } from './handler.ts';
import { readDeploymentSignal, readDispatchSignal, readMergeRef, readStatusSignal } from './read-signal.ts';

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

/** Some hosts announce previews by statuses, and a suite's settings may name any. */
export async function onStatus(trx: Db, ctx: HandlerContext, payload: StatusEvent): Promise<void> {
  const signal = readStatusSignal(payload);
  if (signal !== null) await recordSignal(trx, ctx, signal);
}

/** Vercel's report of a build; for a build that it skips, the only one. */
export async function onRepositoryDispatch(
  trx: Db,
  ctx: HandlerContext,
  payload: RepositoryDispatchEvent,
): Promise<void> {
  const signal = readDispatchSignal(payload);
  if (signal !== null) await recordSignal(trx, ctx, signal);
}

import type { Context } from '../../context.ts';
import { queueStaleChecks } from '../../pull-requests/check/run-check.ts';
import { readCredentials } from '../app/credentials.ts';

/**
 * Runs periodically. No required check may hang because a job was lost, GitHub was down for long or an installation
 * was suspended.
 */
export async function sweepChecks(ctx: Pick<Context, 'config' | 'db' | 'log'>): Promise<void> {
  if ((await readCredentials(ctx)) === null) return;
  const checks = await queueStaleChecks(ctx.db);
  if (checks > 0) ctx.log.info({ checks }, 'queued updates of outdated checks');
}

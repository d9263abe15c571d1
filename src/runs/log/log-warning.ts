import type { Context } from '../../context.ts';
import { appendLogs } from './log-store.ts';

/** A warning in the run's log. */
export async function logWarning({ db }: Pick<Context, 'db'>, runId: string, message: string): Promise<void> {
  await appendLogs(db, runId, [{ type: 'WARNING', message }]);
}

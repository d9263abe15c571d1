import { runMigrations } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Logger } from '../logger.ts';
import { queueLogger } from './queue-logger.ts';

/** Brings graphile-worker's own schema up to date. Several hosts may do it at the same moment. */
export async function installQueue(database: string | Pool, log: Logger): Promise<void> {
  const logger = queueLogger(log);
  await runMigrations(
    typeof database === 'string' ? { connectionString: database, logger } : { pgPool: database, logger },
  );
}

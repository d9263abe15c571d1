import { runMigrations } from 'graphile-worker';
import { Client } from 'pg';
import type { Logger } from '../logger.ts';
import { queueLogger } from './queue-logger.ts';
import { LOCK_NAMESPACE } from './worker-lock.ts';

/**
 * Updates graphile-worker's own schema. Hosts that start together take turns. Its migrations detect each other, but
 * `create schema` and `create table if not exists` can still collide in PostgreSQL's catalog.
 */
export async function installQueue(databaseUrl: string, log: Logger): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'pixelgate queue install' });
  client.on('error', (error) => log.error({ err: error }, 'the connection that guards the installation broke'));
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1, 0)', [LOCK_NAMESPACE]);
    await runMigrations({ connectionString: databaseUrl, logger: queueLogger(log) });
  } finally {
    await client.end();
  }
}

import { Logger as GraphileLogger, runMigrations } from 'graphile-worker';
import { Client } from 'pg';
import type { Logger } from '../logger.ts';
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

/**
 * Writes graphile-worker's log lines to our log. Its line for each finished job becomes `debug`, because the handlers
 * already log what happened. Its metadata is dropped: it contains whole jobs, such as the text of a mail.
 */
export function queueLogger(log: Logger): GraphileLogger {
  return new GraphileLogger((scope) => (graphileLevel, message) => {
    const level: string = graphileLevel;
    const fields = { queue: scope.label ?? 'core' };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning') log.warn(fields, message);
    else log.debug(fields, message);
  });
}

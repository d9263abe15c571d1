import knexPackage, { type Knex } from 'knex';
import pg from 'pg';
import { z } from 'zod';
import type { Logger } from '../logger.ts';
import { camelCaseRows } from './camel-case.ts';
import { readValue, type Db } from './database.ts';

export type ConnectOptions = {
  /** Upper bound of the pool; connections are opened as needed and closed again when idle. */
  maxConnections: number;
  /** The database then refuses every statement that would change something. */
  readOnly?: boolean;
  /**
   * With a pooler each transaction may have another session, so nothing is prepared or set for longer than a
   * transaction.
   */
  pooled?: boolean;
  log: Logger;
};

const CONNECT_TIMEOUT_MS = 5_000;
const ACQUIRE_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** After this time, a host that froze inside a transaction loses its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

declare module 'knex/types/result.js' {
  interface Registry {
    Count: number;
  }
}

/**
 * Counts, GitHub's ids and scores all fit a double. A value that does not fit is a bug and must not be rounded
 * silently.
 */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The int8 value ${text} does not fit a number`);
  return value;
}

const PARSERS = new Map<number, (text: string) => number>([
  [pg.types.builtins.INT8, parseInt8],
  [pg.types.builtins.NUMERIC, Number],
]);

/** Set per connection and not globally, because the job queue has its own pools and parsers. */
const types = {
  getTypeParser(oid: number, format: string): unknown {
    const own = format === 'binary' ? undefined : PARSERS.get(oid);
    // `apply` instead of a call, because the driver's types want an enum although any number works.
    return own ?? Reflect.apply(pg.types.getTypeParser, pg.types, [oid, format]);
  },
};

/** Settings of a session. Where sessions are shared, the role has them instead (docs/operating.md). */
function sessionSettings(readOnly: boolean) {
  return {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // PostgreSQL's default is meant for rotating disks: it reads a whole table to find a hundred of its rows.
    options: `-c random_page_cost=1.1${readOnly ? ' -c default_transaction_read_only=on' : ''}`,
  };
}

/**
 * A pool on one database. Rows come back with camelCase keys; `int8` and `numeric` come back as numbers, timestamps as
 * `Date`. Nothing is connected until the first query; `db.destroy()` closes every connection.
 */
export function connect(
  databaseUrl: string,
  { maxConnections, log, readOnly = false, pooled = false }: ConnectOptions,
): Knex {
  const config = {
    client: 'pg',
    pooled,
    connection: {
      connectionString: databaseUrl,
      application_name: 'pixelgate',
      types,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...(pooled ? { query_timeout: STATEMENT_TIMEOUT_MS } : sessionSettings(readOnly)),
    },
    pool: { min: 0, max: maxConnections, createTimeoutMillis: ACQUIRE_TIMEOUT_MS },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    postProcessResponse: camelCaseRows,
    log: {
      debug: (message: unknown) => log.debug({ message }, 'knex'),
      warn: (message: unknown) => log.warn({ message }, 'knex'),
      error: (message: unknown) => log.error({ message }, 'knex'),
      deprecate: (message: unknown) => log.warn({ message }, 'knex'),
    },
  };
  return knexPackage.knex(config);
}

/** How large the database is, in bytes. */
export async function readDatabaseSize(db: Db): Promise<number> {
  const sql = 'select pg_database_size(current_database()) as bytes';
  return readValue(db, z.number(), sql);
}

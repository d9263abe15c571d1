import knexPackage from 'knex';
import type { Knex } from 'knex';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import { camelCaseRows } from './camel-case.ts';
import { createConnectionTurns } from './connection-turns.ts';
import type { Statements } from './query.ts';
import { assertWanted, orderOfWork } from './while-wanted.ts';

/** A pool or a transaction: whoever passes it owns the transaction. */
export interface Db extends Statements {
  isTransaction?: boolean;
  transaction<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  destroy(): Promise<void>;
}

export type ConnectOptions = {
  /** Upper bound of the pool; connections are opened as needed and closed again when idle. */
  maxConnections: number;
  /** The database then refuses every statement that would change something. */
  readOnly?: boolean;
  /** A pooler gives each transaction another session: nothing is prepared or set for longer than one. */
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
    // Applied, not called: the driver's types name an enum where it takes any number.
    return own ?? Reflect.apply(pg.types.getTypeParser, pg.types, [oid, format]);
  },
};

/** A session's own: where sessions are shared, they are settings of the role (docs/operating.md). */
function sessionSettings(readOnly: boolean) {
  return {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // PostgreSQL's default is for disks that turn: it reads a whole table to find a hundred rows of it.
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
  const db = knexPackage.knex({
    client: 'pg',
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
  });
  takeTurns(db.client, maxConnections);
  if (!pooled) prepareStatements(db.client);
  return db;
}

type ConnectionSource = {
  acquireConnection(): Promise<unknown>;
  releaseConnection(used: unknown): Promise<void>;
};

/**
 * Statements wait for a connection. The pool would give each its turn as it comes, so that of many requests at once all end
 * late. Here the oldest request comes first with all of its statements. When it is their turn, their work may no longer be
 * wanted.
 */
function takeTurns(client: ConnectionSource, maxConnections: number) {
  const turns = createConnectionTurns(maxConnections, ACQUIRE_TIMEOUT_MS);
  const used = new Set<unknown>();
  const acquire = client.acquireConnection.bind(client);
  const release = client.releaseConnection.bind(client);
  client.acquireConnection = async () => {
    assertWanted();
    await turns.wait(orderOfWork());
    try {
      assertWanted();
      const connection = await acquire();
      used.add(connection);
      return connection;
    } catch (error) {
      turns.end();
      throw error;
    }
  };
  client.releaseConnection = async (connection) => {
    try {
      await release(connection);
    } finally {
      if (used.delete(connection)) turns.end();
    }
  };
}

type Query = { sql: string; bindings?: readonly unknown[]; options?: object };

/**
 * In a statement whose values decide what is quick: it is planned anew each time. PostgreSQL cannot tell a common word from
 * a rare one in a plan for any values.
 */
export const PLANNED_BY_VALUES = '/* planned by its values */';

/** More texts than the service has: those with lists of values of any length have one for each length. */
const MOST_PREPARED = 400;

/** Each connection prepares a statement once: planning it takes as long as most statements do. */
function prepareStatements(client: { _query(connection: unknown, query: Query): Promise<unknown> }) {
  const names = new Map<string, string>();
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql);
    if (known !== undefined || names.size === MOST_PREPARED) return known;
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
  const send = client._query.bind(client);
  client._query = async (connection, query) => {
    const isKept = (query.bindings ?? []).length > 0 && !query.sql.includes(PLANNED_BY_VALUES);
    const name = isKept ? nameOf(query.sql) : undefined;
    return send(connection, name === undefined ? query : Object.assign(query, { options: { ...query.options, name } }));
  };
}

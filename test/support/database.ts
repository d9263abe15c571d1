import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { z } from 'zod';
import { connect } from '../../src/db/connect.ts';
import { readRows, type Db } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLogger } from '../../src/logger.ts';
import { installQueue } from '../../src/queue/install-queue.ts';

export type TestDatabase = {
  db: Knex;
  url: string;
  /** Closes `db` and removes the database, even if others are still connected. */
  drop: () => Promise<void>;
};

const TEMPLATE = 'template_migrated';
const TEMPLATE_LOCK = 1;

const log = createLogger('silent');

function serverUrl(database: string): string {
  const server = process.env['TEST_SERVER_URL'];
  if (server === undefined) throw new Error('Tests that need PostgreSQL run with jest.config.js, which starts one');
  return Object.assign(new URL(server), { pathname: `/${database}` }).href;
}

async function onServer(work: (server: Knex) => Promise<unknown>): Promise<void> {
  const server = connect(serverUrl('postgres'), { maxConnections: 1, log });
  try {
    await work(server);
  } finally {
    await server.destroy();
  }
}

async function makeTemplate(server: Knex): Promise<void> {
  const draft = `${TEMPLATE}_draft`;
  await server.raw(`drop database if exists ${draft} with (force)`);
  await server.raw(`create database ${draft}`);
  const db = connect(serverUrl(draft), { maxConnections: 1, log });
  try {
    await migrate(db, log);
    await installQueue(serverUrl(draft), log);
  } finally {
    await db.destroy();
  }
  await server.raw(`alter database ${draft} rename to ${TEMPLATE}`);
}

/** The first worker creates it. The others wait for it. */
async function ensureTemplate(server: Knex): Promise<void> {
  await server.raw('select pg_advisory_lock(?)', [TEMPLATE_LOCK]);
  const made = await server('pg_database').where({ datname: TEMPLATE }).first('datname');
  if (made === null) await makeTemplate(server);
  await server.raw('select pg_advisory_unlock(?)', [TEMPLATE_LOCK]);
}

/** An empty database, for tests of migrations. */
export async function createEmptyDatabase(template = 'template0'): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer((server) => server.raw(`create database ${name} template ${template} strategy file_copy`));
  const url = serverUrl(name);
  const db = connect(url, { maxConnections: 10, log });
  const drop = async (): Promise<void> => {
    await db.destroy();
    await onServer((server) => server.raw(`drop database if exists ${name} with (force)`));
  };
  return { db, url, drop };
}

let template: Promise<void> | null = null;

/**
 * A database for one test file, with the schema of all migrations and of the queue. It is a clone of a template. Files
 * await it at their top, and drop it in `afterAll`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  template ??= onServer(ensureTemplate);
  await template;
  return createEmptyDatabase(TEMPLATE);
}

/** Resolves once a transaction of this database waits for another one. */
export async function someoneWaits(db: Db, people = 1): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await readRows(db, z.unknown(), waiting)).length < people);
}

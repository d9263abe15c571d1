import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { connect } from '../../src/db/connect.ts';
import { loadMigrations, migrate } from '../../src/db/migrate.ts';
import { createLogger } from '../../src/logger.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { dumpSchema, foreignKeysWithoutIndex } from './schema.ts';
import { describeTables } from './tables.ts';

const SCHEMA = path.join(import.meta.dirname, 'schema.txt');
const TABLES = path.join(import.meta.dirname, '../../src/db/tables.ts');
/** Set by `npm run tables`. */
const isRenewing = process.env['UPDATE_SCHEMA'] === '1';
const log = createLogger('silent');

describe('the migrations', () => {
  const databases: TestDatabase[] = [];
  const emptyDatabase = async () => {
    const database = await createEmptyDatabase();
    databases.push(database);
    return database;
  };
  afterEach(async () => {
    for (const { drop } of databases.splice(0)) await drop();
  });

  it('go up, down to nothing and up again, to the schema that is committed', async () => {
    const { db } = await emptyDatabase();
    const before = await dumpSchema(db);
    await migrate(db, log);
    const once = await dumpSchema(db);
    for (const { down } of (await loadMigrations()).toReversed()) await down(db);
    await db.raw('drop table migrations');
    expect(await dumpSchema(db)).toBe(before);
    await migrate(db, log);
    expect(await dumpSchema(db)).toBe(once);
    if (isRenewing) await writeFile(SCHEMA, once);
    expect(once).toBe(await readFile(SCHEMA, 'utf8'));
  });

  it('make the tables that the code is compiled against', async () => {
    const { db } = await emptyDatabase();
    await migrate(db, log);
    const tables = await describeTables(db);
    if (isRenewing) await writeFile(TABLES, tables);
    expect(tables).toBe(await readFile(TABLES, 'utf8'));
  });

  it('give every foreign key an index', async () => {
    const { db } = await emptyDatabase();
    await migrate(db, log);
    expect(await foreignKeysWithoutIndex(db)).toEqual([]);
  });

  it('are applied once when several hosts start at the same moment', async () => {
    const { url } = await emptyDatabase();
    const hosts = Array.from({ length: 4 }, () => connect(url, { maxConnections: 1, log }));
    await Promise.all(hosts.map((host) => migrate(host, log)));
    const names = await Promise.all(hosts.map((host) => host('migrations').orderBy('name').pluck('name')));
    expect(names[0]).toContain('001-auth');
    expect(new Set(names.map(String)).size).toBe(1);
    await Promise.all(hosts.map((host) => host.destroy()));
  });

  it('refuse a database of a newer version, and change nothing in it', async () => {
    const name = '999-from-the-future';
    const { db } = await emptyDatabase();
    await db.raw('create table migrations (name text primary key, applied_at timestamptz not null default now())');
    await db('migrations').insert({ name });
    const before = await dumpSchema(db);
    await expect(migrate(db, log)).rejects.toThrow(
      `This database was migrated by a newer version of Pixelgate (${name})`,
    );
    expect(await dumpSchema(db)).toBe(before);
  });

  it('are all undone when one of them fails', async () => {
    const { db } = await emptyDatabase();
    await db.raw('create table baselines (in_the_way boolean)');
    const before = await dumpSchema(db);
    await expect(migrate(db, log)).rejects.toThrow('already exists');
    expect(await dumpSchema(db)).toBe(before);
  });
});

import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { unavailable } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { readRow, type Db } from './database.ts';

/** The files take knex itself: our types know the tables as they are now. The compiler checks what the steps take. */
const Step = z.custom<(db: Db) => unknown>((value) => typeof value === 'function', 'must be a function');
const Steps = z.object({ up: Step, down: Step });

/** One change of the schema, which can be undone. `name` is its file's name without the extension, the same in source and build. */
type Migration = z.output<typeof Steps> & { name: string };

const FILE = /^(\d{3}-[a-z0-9-]+)\.(?:ts|js)$/;

/** `migrations/` is next to `src/`. The build compiles it into `dist/migrations/`. */
const DIRECTORY = new URL(import.meta.url.endsWith('.ts') ? '../../migrations/' : '../migrations/', import.meta.url);

async function load(name: string, file: string): Promise<Migration> {
  const steps = Steps.safeParse(await import(new URL(file, DIRECTORY).href));
  if (!steps.success) throw new Error(`The migration ${name} does not export functions up and down`);
  return { name, ...steps.data };
}

/** The file of each migration, by its name, oldest first. */
async function listFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const file of (await readdir(DIRECTORY)).sort()) {
    const name = FILE.exec(file)?.[1];
    if (name !== undefined) files.set(name, file);
  }
  return files;
}

/** All migrations, oldest first. */
export async function loadMigrations(): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const [name, file] of await listFiles()) migrations.push(await load(name, file));
  return migrations;
}

/** The names of all migrations, oldest first. */
export async function listMigrations(): Promise<string[]> {
  return [...(await listFiles()).keys()];
}

/** Any number works, as long as nobody else uses it for advisory locks in this database. */
const LOCK = 7_349_283_402;
const OLDEST_SERVER = 15;

const Server = z.object({ version: z.string(), major: z.number() });

async function refuseOldServer(trx: Db): Promise<void> {
  const { version, major } = await readRow(
    trx,
    Server,
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major`,
  );
  if (major < OLDEST_SERVER) {
    throw unavailable(
      `Pixelgate requires PostgreSQL ${OLDEST_SERVER} or newer, but this is ${version}`,
      'database_too_old',
    );
  }
}

/** One host at a time. The others wait, and then have nothing left to do. @returns the names of what was applied */
async function lockMigrations(trx: Db): Promise<string[]> {
  await trx.raw('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
  await trx.raw('select pg_advisory_xact_lock(?)', [LOCK]);
  await trx.raw(`
    create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())
  `);
  return trx('migrations').orderBy('name').pluck('name');
}

/**
 * Migrates the schema to this version. Either all missing migrations are applied, or none.
 * @param only the migrations of an earlier version, to get its schema
 * @throws AppError when a newer version has migrated this database, or the server is too old.
 */
export async function migrate(db: Db, log: Logger, only?: ReadonlySet<string>): Promise<void> {
  const migrations = await loadMigrations();
  const known = new Set(migrations.map(({ name }) => name));
  await db.transaction(async (trx) => {
    await refuseOldServer(trx);
    const applied = await lockMigrations(trx);
    const unknown = applied.filter((name) => !known.has(name));
    if (unknown.length > 0) {
      throw unavailable(
        `This database was migrated by a newer version of Pixelgate (${unknown.join(', ')}). Start that version.`,
        'database_too_new',
      );
    }
    const wanted = migrations.filter(({ name }) => !applied.includes(name) && (only?.has(name) ?? true));
    for (const { name, up } of wanted) {
      await up(trx);
      await trx('migrations').insert({ name });
      log.info({ migration: name }, 'migrated the database');
    }
  });
}

/** @throws Error when the schema is not that of this version: the database is not migrated yet, or by a newer version. */
export async function assertMigrated(db: Db): Promise<void> {
  const known = await listMigrations();
  const applied = new Set(await db('migrations').pluck('name'));
  const isSame = applied.size === known.length && known.every((name) => applied.has(name));
  if (!isSame) throw new Error('the schema is not that of this version');
}

import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { runBackup } from '../../src/backup.ts';
import { takeBackup } from '../../src/backup/take-backup.ts';
import { assertMigrated, listMigrations, migrate } from '../../src/db/migrate.ts';
import { createLogger } from '../../src/logger.ts';
import { enqueue } from '../../src/queue/enqueue.ts';
import { installQueue } from '../../src/queue/install-queue.ts';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';
import { buildFileName, buildListName, imageName, thumbnailName } from '../../src/storage/object-name.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { approveRun, startRun } from '../support/requests.ts';
import { finishedRun, newSuite, newViewer, worldOn, type OwnSuite, type World } from '../support/world.ts';

const log = createLogger('silent');
const ONE_HASH = 'a'.repeat(64);

let source: TestDatabase;
let directory: string;
let storage: Storage;
let world: World;
let suite: OwnSuite;
let viewer: Awaited<ReturnType<typeof newViewer>>;
const opened: TestDatabase[] = [];

const bytes = (text: string) => Buffer.from(`not a PNG, but named after its bytes: ${text}`);
const at = (...parts: string[]) => path.join(directory, ...parts);

/** A run whose pages show these texts. */
async function shows(texts: Record<string, string>) {
  const names = Object.values(texts).map((text) => [imageName(suite.id, sha256Of(bytes(text))), bytes(text)] as const);
  for (const [name, content] of names) await storage.put(name, content);
  return (await finishedRun(world, viewer, suite, (page) => sha256Of(bytes(texts[page] ?? '')))).run;
}

beforeAll(async () => {
  source = await createTestDatabase();
  directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-backup-'));
  storage = createDiskStorage(at('data', 'files'));
  world = worldOn(source.db);
  world.ctx.storage = storage;
  viewer = await newViewer(world);
  suite = await newSuite(world, viewer, ['/a', '/b']);
  await shows({ '/a': 'a1', '/b': 'b1' });
  await approveRun(world.ctx, viewer, (await shows({ '/a': 'a2', '/b': 'b1' })).id, {});
  // In flight, so that jobs wait for it.
  await startRun(world.ctx, viewer, suite, {});
});

afterEach(async () => {
  for (const each of opened.splice(0)) await each.drop();
});
afterAll(async () => {
  await source.drop();
  await rm(directory, { recursive: true });
});

async function newTarget(template?: string): Promise<TestDatabase> {
  const target = template === undefined ? await createEmptyDatabase() : await createTestDatabase();
  opened.push(target);
  return target;
}

/** The words of `pixelgate backup` and its siblings with the settings of a service. */
async function command(args: string[], { url }: Pick<TestDatabase, 'url'>, dataDir = at('data')) {
  const printed: string[] = [];
  const said: string[] = [];
  const code = await runBackup(args, {
    say: (text) => void said.push(text),
    print: (text) => void printed.push(text),
    env: { DATABASE_URL: url, DATA_DIR: dataDir },
  });
  return { code, printed, said: said.join('\n') };
}

/** Every row of every table, as text. */
async function readAll(db: Knex): Promise<Record<string, string[]>> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'graphile_worker') order by 1`,
  );
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    // When the tables themselves were made is not copied.
    const columns = name.endsWith('.migrations') ? `(to_jsonb(each) - 'applied_at' - 'ts')` : 'each';
    const { rows } = await db.raw<{ rows: { row: string }[] }>(
      `select ${columns}::text as row from ${name} as each order by 1`,
    );
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

const schemaOf = async (db: Knex) => {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as is, convalidated from pg_constraint
     where connamespace::regnamespace::text in ('public', 'graphile_worker')
     union all select tgrelid::regclass::text, tgname, tgenabled::text, true from pg_trigger where not tgisinternal
     order by 1, 2`,
  );
  return rows;
};

describe('a backup', () => {
  it('brings back every row and object, in an empty place, and the schema as it was', async () => {
    const backup = await command(['backup', at('whole')], source);
    expect(backup).toEqual({
      code: 0,
      printed: [],
      said: expect.stringMatching(/^Backed up \d+ tables and 3 objects, 3 of them new\. Keep JWT_SECRET/),
    });
    const target = await newTarget();
    const restored = await command(['restore', at('whole')], target, at('elsewhere'));
    expect(restored).toEqual({
      code: 0,
      printed: [],
      said: expect.stringMatching(/^Restored \d+ tables and 3 objects$/),
    });
    const rows = await readAll(target.db);
    expect(rows).toEqual(await readAll(source.db));
    expect(rows['public.page_results']?.length).toBeGreaterThan(2);
    expect(rows['graphile_worker._private_jobs']?.length).toBeGreaterThan(0);
    expect(await schemaOf(target.db)).toEqual(await schemaOf(source.db));
    await expectNoFaults(target.db, at('elsewhere'));
  });

  it('goes on where it was: runs start, jobs are queued, baselines move', async () => {
    await command(['backup', at('whole')], source);
    const target = await newTarget();
    await command(['restore', at('whole')], target, at('goes-on'));
    const restored = worldOn(target.db);
    restored.ctx.storage = createDiskStorage(at('goes-on', 'files'));
    const ids = async () =>
      (await target.db('graphile_worker._private_jobs').orderBy('id').select('id')).map(({ id }) => Number(id));
    const before = await ids();
    await enqueue(target.db, 'send-reset-link', { email: 'a@example.com' });
    expect(Math.max(...(await ids()))).toBeGreaterThan(Math.max(...before));
    const changed = bytes('a3');
    await restored.ctx.storage.put(imageName(suite.id, sha256Of(changed)), changed);
    const choose = (page: string) => sha256Of(page === '/a' ? changed : bytes('b1'));
    const { run } = await finishedRun(restored, viewer, suite, choose);
    await approveRun(restored.ctx, viewer, run.id, {});
    const versions = await target.db('baseline_versions').where({ path: '/a' }).max('version').first();
    expect(versions).toEqual({ max: 3 });
    await expectNoFaults(target.db, at('goes-on'));
  });

  it('copies only what an earlier one lacks, and leaves one copy of the database', async () => {
    await command(['backup', at('again')], source);
    const text = 'a new one';
    await storage.put(imageName(suite.id, sha256Of(bytes(text))), bytes(text));
    const second = await command(['backup', at('again')], source);
    expect(second.said).toMatch(/ 4 objects, 1 of them new/);
    expect((await readdir(at('again'))).toSorted()).toEqual(['database', 'files', 'pixelgate-backup.json']);
    expect(await readdir(at('again', 'database'))).toHaveLength(1);
  });

  it('copies again what is cut off in its folder, and keeps what is cut off in the storage', async () => {
    await command(['backup', at('cut')], source);
    const names = (await readdir(at('cut', 'files'), { recursive: true })).filter((name) => name.endsWith('.png'));
    const [cutThere = '', cutHere = ''] = names;
    const whole = await readFile(at('data', 'files', cutHere));
    await truncate(at('cut', 'files', cutThere), 10);
    await truncate(at('data', 'files', cutHere), 10);
    const backup = await command(['backup', at('cut')], source);
    await writeFile(at('data', 'files', cutHere), whole);
    expect(backup).toMatchObject({ code: 0, said: expect.stringMatching(/, 1 of them new/) });
    expect((await command(['restore', at('cut')], await newTarget(), at('of-cut'))).said).toMatch(/^Restored/);
  });

  it('replaces what is cut off where it is restored', async () => {
    await command(['backup', at('whole')], source);
    const target = await newTarget();
    await cp(at('data', 'files'), at('half', 'files'), { recursive: true });
    const names = (await readdir(at('half', 'files'), { recursive: true })).filter((name) => name.endsWith('.png'));
    await truncate(at('half', 'files', names[0] ?? ''), 10);
    expect((await command(['restore', at('whole')], target, at('half'))).said).toMatch(/^Restored/);
    for (const name of names)
      expect(await readFile(at('half', 'files', name))).toEqual(await readFile(at('data', 'files', name)));
  });

  it('is whole, although an older one ends while its tables are read', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let older: Promise<unknown> = Promise.resolve();
    await new Promise<void>((reach) => {
      const slow: Storage = {
        ...storage,
        async *list(prefix) {
          reach();
          await held;
          yield* storage.list(prefix);
        },
      };
      older = takeBackup({ databaseUrl: source.url, storage: slow }, at('both'));
    });
    const holding = await source.db.transaction();
    await holding.raw('lock table users in access exclusive mode');
    const newer = takeBackup({ databaseUrl: source.url, storage }, at('both'));
    const isHeldUp = async () =>
      (await holding.raw(`select from pg_locks where not granted and relation = 'users'::regclass`)).rowCount > 0;
    while (!(await isHeldUp())) expect(holding.isCompleted()).toBe(false);
    goOn();
    await older;
    await holding.rollback();
    await newer;
    expect(await command(['restore', at('both')], await newTarget(), at('of-both'))).toMatchObject({ code: 0 });
  });

  it('has the files of builds, and no thumbnails', async () => {
    const html = bytes('html');
    await storage.put(buildFileName(suite.id, 'build-1', sha256Of(html)), html);
    await storage.put(buildListName(suite.id, 'build-1'), Buffer.from('{}'));
    await storage.put(thumbnailName(imageName(suite.id, ONE_HASH), 320), bytes('small'));
    await command(['backup', at('builds')], source);
    const kept = await readdir(at('builds', 'files'), { recursive: true });
    expect(kept.filter((name) => name.includes('build-1/'))).toHaveLength(2);
    expect(kept.filter((name) => name.endsWith('.webp'))).toEqual([]);
  });

  it('names an object whose bytes have changed, and does not keep it', async () => {
    const name = imageName(suite.id, ONE_HASH);
    await storage.put(name, bytes('something else'));
    const backup = await command(['backup', at('changed')], source);
    await rm(at('data', 'files', name));
    expect(backup).toMatchObject({ code: 1, printed: [expect.stringMatching(`^${name}: damaged`)] });
    expect(await createDiskStorage(at('changed', 'files')).stat(name)).toBeNull();
  });
});

describe('a restore', () => {
  it('is refused where the database has rows, and changes none', async () => {
    await command(['backup', at('whole')], source);
    const before = await readAll(source.db);
    expect(await command(['restore', at('whole')], source)).toEqual({
      code: 2,
      printed: [],
      said: 'The database is not empty: restore into one that is',
    });
    expect(await readAll(source.db)).toEqual(before);
  });

  it('takes a database that was migrated and never used', async () => {
    await command(['backup', at('whole')], source);
    const target = await newTarget('migrated');
    expect((await command(['restore', at('whole')], target, at('unused'))).code).toBe(0);
    expect(await readAll(target.db)).toEqual(await readAll(source.db));
  });

  it.each([
    ['an object', async (copy: string) => damage(copy, 'files', /\.png$/), /^files\/suites\/.+ is damaged/],
    ['a table', async (copy: string) => damage(copy, 'database', /users\.gz$/), /^database\/.+users\.gz is damaged/],
  ])('finds %s that is damaged, and can be done again', async (_what, spoil, words) => {
    await command(['backup', at('whole')], source);
    const copy = await mkdtemp(at('copy-'));
    await cp(at('whole'), copy, { recursive: true });
    await spoil(copy);
    const target = await newTarget();
    const failed = await command(['restore', copy], target, await mkdtemp(at('data-')));
    expect(failed).toEqual({ code: 2, printed: [], said: expect.stringMatching(words) });
    const rows = Object.entries(await readAll(target.db)).filter(([name]) => !name.endsWith('.migrations'));
    expect(rows.filter(([, found]) => found.length > 0)).toEqual([]);
    expect((await command(['restore', at('whole')], target, await mkdtemp(at('data-')))).code).toBe(0);
  });

  it('brings back the schema of an earlier version, and is refused where there is a newer one', async () => {
    const older = await newTarget();
    const names = (await listMigrations()).slice(0, -1);
    await migrate(older.db, log, new Set(names));
    await installQueue(older.url, log);
    await older.db.raw(`insert into users (email, name, password_hash) values ('a@example.com', 'A', 'none')`);
    await command(['backup', at('older')], older);

    const target = await newTarget();
    expect((await command(['restore', at('older')], target, at('older-data'))).code).toBe(0);
    expect((await target.db('migrations').orderBy('name').select('name')).map(({ name }) => name)).toEqual(names);
    await migrate(target.db, log);
    await expect(assertMigrated(target.db)).resolves.toBeUndefined();
    expect(await target.db('users').select('email')).toEqual([{ email: 'a@example.com' }]);

    const newer = await newTarget('migrated');
    expect((await command(['restore', at('older')], newer, at('older-data'))).said).toBe(
      'The database was migrated by a newer version than the backup: restore into an empty one',
    );
  });

  it('says what is missing, and which version made a backup that is newer', async () => {
    await command(['backup', at('whole')], source);
    const target = await newTarget();
    expect((await command(['restore', at('nothing-there')], target)).said).toMatch(/has no whole backup$/);
    const copy = await mkdtemp(at('copy-'));
    await cp(at('whole'), copy, { recursive: true });
    const manifest = JSON.parse(await readFile(path.join(copy, 'pixelgate-backup.json'), 'utf8'));
    manifest.version = '99.0.0';
    manifest.schema.migrations.push('999-of-a-newer-version');
    await writeFile(path.join(copy, 'pixelgate-backup.json'), JSON.stringify(manifest));
    const { said } = await command(['restore', copy], target);
    expect(said).toBe('This version does not know the tables of version 99.0.0: restore the backup with that one');
    await truncate(path.join(copy, 'pixelgate-backup.json'), 100);
    expect((await command(['restore', copy], target)).said).toMatch(/has a backup that this version can't read$/);
  });
});

describe('the command', () => {
  it('explains itself, and refuses what it does not know', async () => {
    expect(await command(['backup', '--help'], source)).toMatchObject({
      code: 0,
      printed: [expect.stringMatching(/^Usage/)],
    });
    for (const args of [
      ['backup'],
      ['restore'],
      ['storage'],
      ['storage', 'copy', 'disk', 'disk'],
      ['backup', 'a', 'b'],
    ]) {
      expect(await command(args, source)).toMatchObject({ code: 2, said: expect.stringMatching(/^Usage/) });
    }
    expect((await command(['storage', 'copy', 'disk', 's3'], source)).said).toBe('S3_BUCKET is not set');
  });
});

/** Changes the content of the first file of that name, in a way that gzip does not notice. */
async function damage(copy: string, folder: string, name: RegExp): Promise<void> {
  const files = await readdir(path.join(copy, folder), { recursive: true });
  const file = path.join(copy, folder, files.find((each) => name.test(each)) ?? '');
  const content = await readFile(file);
  const changed = (text: Buffer) => Buffer.concat([text, Buffer.from('\n')]);
  await writeFile(file, file.endsWith('.gz') ? gzipSync(changed(gunzipSync(content))) : changed(content));
}

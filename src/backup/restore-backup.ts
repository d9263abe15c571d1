import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { importDatabase, isEmptyDatabase, readCopiedSchema } from '../db/copy-database.ts';
import type { Db } from '../db/database.ts';
import { listMigrations, migrate } from '../db/migrate.ts';
import { hasCode, nullIf, orNull } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { installQueue } from '../queue/install-queue.ts';
import { createDiskStorage } from '../storage/disk-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { sha256Of } from '../text/sha256.ts';
import { END_OF_TIME, forEachItem } from './copy-objects.ts';
import { BackupError, MANIFEST, Manifest, readLines, unpackFile } from './packed-file.ts';

const NOT_EMPTY = 'The database is not empty: restore into one that is';

async function readManifest(directory: string): Promise<Manifest> {
  const file = path.join(directory, MANIFEST);
  const text = await readFile(file, 'utf8').catch(nullIf((error) => hasCode(error, 'ENOENT')));
  if (text === null) throw new BackupError(`${directory} has no whole backup`);
  const read = Manifest.safeParse(orNull<unknown>(() => JSON.parse(text)));
  if (!read.success) throw new BackupError(`${directory} has a backup that this version can't read`);
  return read.data;
}

type Target = { databaseUrl: string; db: Db; storage: Storage; log: Logger };

/** Gives the database the schema that it had. The service migrates it at its next start. */
async function prepareSchema({ databaseUrl, db, log }: Target, { version, schema }: Manifest): Promise<void> {
  const known = await listMigrations();
  if (schema.migrations.some((name) => !known.includes(name))) {
    throw new BackupError(
      `This version does not know the tables of version ${version}: restore the backup with that one`,
    );
  }
  await migrate(db, log, new Set(schema.migrations));
  await installQueue(databaseUrl, log);
  const made = await readCopiedSchema(databaseUrl);
  if (made.migrations.length !== schema.migrations.length) {
    throw new BackupError('The database was migrated by a newer version than the backup: restore into an empty one');
  }
  if (made.queue !== schema.queue) {
    throw new BackupError(
      `The queue of this version is another one. Restore with version ${version}, and upgrade then`,
    );
  }
}

async function restoreObjects({ storage }: Target, directory: string, { objects }: Manifest): Promise<number> {
  const files = createDiskStorage(path.join(directory, 'files'));
  let restored = 0;
  await forEachItem(readLines(unpackFile(directory, objects)), async (line) => {
    const [sha256 = '', name = ''] = line.split('  ');
    const bytes = await files.get(name);
    if (bytes === null || sha256Of(bytes) !== sha256) {
      throw new BackupError(`files/${name} is ${bytes === null ? 'missing' : 'damaged: its hash does not match'}`);
    }
    // `put` would keep what is there.
    const there = await storage.get(name);
    if (there?.equals(bytes) === false) await storage.removeOlder(name, END_OF_TIME);
    await storage.put(name, bytes);
    restored += 1;
  });
  return restored;
}

/**
 * Restores a backup: objects first, then all rows at once. So after a failure the database is still empty, and the same
 * can be done again. Each file and each object must match its stored hash.
 * @throws BackupError
 */
export async function restoreBackup(target: Target, directory: string): Promise<{ tables: number; objects: number }> {
  const manifest = await readManifest(directory);
  if (!(await isEmptyDatabase(target.databaseUrl))) throw new BackupError(NOT_EMPTY);
  await prepareSchema(target, manifest);
  const objects = await restoreObjects(target, directory, manifest);
  const packed = new Map(manifest.tables.map((each) => [each.table, each.packed]));
  const isDone = await importDatabase(target.databaseUrl, [...packed.keys()], manifest.schema.sequences, (table) => {
    const file = packed.get(table);
    if (file === undefined) throw new Error(`There is no file of ${table.name}`);
    return unpackFile(directory, file);
  });
  if (!isDone) throw new BackupError(NOT_EMPTY);
  return { tables: manifest.tables.length, objects };
}

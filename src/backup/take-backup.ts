import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { exportDatabase } from '../db/copy-database.ts';
import { createDiskStorage, syncDirectory } from '../storage/disk-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { VERSION } from '../version.ts';
import { copyObjects, type CopiedCounts } from './copy-objects.ts';
import { MANIFEST, packFile, type Manifest } from './packed-file.ts';

async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const draft = path.join(directory, `.${MANIFEST}`);
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  await rename(draft, path.join(directory, MANIFEST));
  await syncDirectory(directory);
}

const folderOf = (takenAt: string) => `database/${takenAt.replaceAll(':', '-')}`;

/** Copies the objects, and packs the list of those that the backup has. */
async function takeObjects(directory: string, folder: string, storage: Storage) {
  const lines = new PassThrough();
  const packing = packFile(directory, `${folder}/objects.gz`, lines);
  const files = createDiskStorage(path.join(directory, 'files'));
  const copying = copyObjects(storage, files, ({ name, sha256 }) => void lines.write(`${sha256}  ${name}\n`));
  // Ends the list in any case, so that nothing waits for it forever.
  const [counts, objects] = await Promise.all([copying.finally(() => lines.end()), packing]);
  return { counts, objects };
}

/**
 * Backs up database and objects into a directory. Objects that an earlier backup left there are not copied again. The
 * service may keep running: the database is copied first, as it is at one moment, and objects are only ever added.
 */
export async function takeBackup(
  { databaseUrl, storage }: { databaseUrl: string; storage: Storage },
  directory: string,
): Promise<CopiedCounts & { tables: number }> {
  await mkdir(directory, { recursive: true });
  const tables: Manifest['tables'] = [];
  const { takenAt, schema } = await exportDatabase(databaseUrl, async (table, rows, at) => {
    const packed = await packFile(directory, `${folderOf(at)}/${table.schema}.${table.name}.gz`, rows);
    tables.push({ table, packed });
  });
  const folder = folderOf(takenAt);
  const { counts, objects } = await takeObjects(directory, folder, storage);
  await syncDirectory(path.join(directory, folder));
  // Fails if a newer backup that was made meanwhile has removed them.
  for (const { packed } of tables) await stat(path.join(directory, packed.file));
  await writeManifest(directory, { format: 1, version: VERSION, takenAt, schema, tables, objects });
  // The folders are named by their times. A later one is being written.
  for (const other of await readdir(path.join(directory, 'database'))) {
    if (other < path.basename(folder)) await rm(path.join(directory, 'database', other), { recursive: true });
  }
  return { ...counts, tables: tables.length };
}

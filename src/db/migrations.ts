import { readdir } from 'node:fs/promises';
import type { Db } from './database.ts';

/** The files take knex itself: our types know the tables as they are now, not as they were then. */
type Step = (db: Db) => Promise<void>;

/** One change of the schema. `name` is its file's name without the extension, the same in source and build. */
export type Migration = { name: string; up: Step; down: Step };

const FILE = /^(\d{3}-[a-z0-9-]+)\.(?:ts|js)$/;

/** `migrations/` is next to `src/`. The build compiles it into `dist/migrations/`. */
const DIRECTORY = new URL(import.meta.url.endsWith('.ts') ? '../../migrations/' : '../migrations/', import.meta.url);

const isStep = (value: unknown): value is Step => typeof value === 'function';

async function load(name: string, file: string): Promise<Migration> {
  const loaded: unknown = await import(new URL(file, DIRECTORY).href);
  if (typeof loaded !== 'object' || loaded === null || !('up' in loaded) || !('down' in loaded)) {
    throw new Error(`The migration ${name} does not export up and down`);
  }
  const { up, down } = loaded;
  if (!isStep(up) || !isStep(down)) throw new Error(`The migration ${name} does not export functions up and down`);
  return { name, up, down };
}

/** All migrations, oldest first. */
export async function loadMigrations(): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(DIRECTORY)).sort()) {
    const name = FILE.exec(file)?.[1];
    if (name !== undefined) migrations.push(await load(name, file));
  }
  return migrations;
}

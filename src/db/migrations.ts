import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import type { Db } from './database.ts';

/** The files take knex itself: our types know the tables as they are now. The compiler checks what the steps take. */
const Step = z.custom<(db: Db) => unknown>((value) => typeof value === 'function', 'must be a function');
const Steps = z.object({ up: Step, down: Step });

/** One change of the schema, which can be undone. `name` is its file's name without the extension, the same in source and build. */
export type Migration = z.output<typeof Steps> & { name: string };

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

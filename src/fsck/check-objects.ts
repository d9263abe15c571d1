import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { isNotFound, nullIf } from '../errors.ts';
import { jobKey } from '../queue/enqueue.ts';
import { hasJobs } from '../queue/job-store.ts';
import { findLeftObjects } from '../retention/left-object-store.ts';
import { findNamedObjects } from '../retention/named-object-store.ts';
import { hasBuildStoredAs } from '../runs/builds/build-store.ts';
import {
  isObjectName,
  readStoredName,
  splitKeys,
  suitePrefix,
  type Slice,
  type StoredName,
} from '../storage/object-name.ts';
import type { Storage, StoredObject } from '../storage/storage.ts';
import { isSuite } from '../suites/read-suite.ts';
import type { Fault } from './fault.ts';

async function hashObject(storage: Storage, name: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await storage.stream(name)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Checks that every object still has the bytes that it is named after. Reads all of the storage, one object at a time.
 */
async function* checkBytes(storage: Storage): AsyncGenerator<Fault> {
  for await (const { name } of storage.list('suites/')) {
    const read = readStoredName(name);
    if (read === null || read.sha256 === null || read.as === 'derived') continue;
    // Null: it was removed meanwhile.
    const found = await hashObject(storage, name).catch(nullIf(isNotFound));
    if (found === null || found === read.sha256) continue;
    const message = `its bytes have the hash ${found}`;
    yield { kind: 'changed_object', suiteId: read.suiteId, subject: name, message };
  }
}

type CheckContext = Pick<Context, 'db' | 'storage' | 'clock'>;

/** Milliseconds after which an object is named by its row, or never will be. */
const SETTLED_AFTER = 3_600_000;

const isSettled = ({ clock }: CheckContext, { storedAt }: StoredObject) =>
  storedAt !== null && clock.now().getTime() - storedAt.getTime() > SETTLED_AFTER;

const unnamed = (suiteId: string | null, subject: string): Fault => ({
  kind: 'unnamed_object',
  suiteId,
  subject,
  message: 'no row names it',
});

async function readStored({ storage }: CheckContext, suiteId: string, isIn: Slice): Promise<Set<number>> {
  const stored = new Set<number>();
  for await (const { name } of storage.list(suitePrefix(suiteId))) {
    const read = readStoredName(name);
    if (read?.as === 'own' && isIn(read.key)) stored.add(read.key);
  }
  return stored;
}

/** Reports missing objects, and fills `named`. An object that is not in the list may have been stored since. */
async function* checkNamed(ctx: CheckContext, suiteId: string, isIn: Slice, named: Set<number>): AsyncGenerator<Fault> {
  const stored = await readStored(ctx, suiteId, isIn);
  for await (const { name, by } of findNamedObjects(ctx.db, suiteId)) {
    const { sha256 = null, key = 0, suiteId: owner = suiteId } = readStoredName(name) ?? {};
    if (!isIn(key) || (sha256 !== null && named.has(key))) continue;
    named.add(key);
    if (stored.has(key) || (isObjectName(name) && (await ctx.storage.stat(name)) !== null)) continue;
    // Another suite with which a version was compared may be deleted, too.
    if (!(await isSuite(ctx, owner))) continue;
    yield { kind: 'missing_object', suiteId, subject: name, message: `${by} names it, and it is not in storage` };
  }
}

async function hasBuild({ db }: CheckContext, suiteId: string, folder: string): Promise<boolean> {
  if (await hasBuildStoredAs(db, suiteId, folder)) return true;
  return hasJobs(db, [jobKey('remove-build-objects', { suiteId, storedAs: folder })], 'all');
}

/** `folders`: those of builds that are known to be there. */
async function isNamed(
  ctx: CheckContext,
  { suiteId, sha256, key, as, folder }: StoredName,
  named: Set<number>,
  folders: Set<string>,
): Promise<boolean> {
  if (as === 'unknown') return false;
  if (as !== 'build') return sha256 !== null && named.has(key);
  if (folder === null) return false;
  if (folders.has(folder)) return true;
  const isThere = await hasBuild(ctx, suiteId, folder);
  if (isThere) folders.add(folder);
  return isThere;
}

async function* checkStored(
  ctx: CheckContext,
  suiteId: string,
  isIn: Slice,
  named: Set<number>,
): AsyncGenerator<Fault> {
  const folders = new Set<string>();
  for await (const object of ctx.storage.list(suitePrefix(suiteId))) {
    const read = readStoredName(object.name);
    if (read === null || !isIn(read.key) || !isSettled(ctx, object)) continue;
    if (await isNamed(ctx, read, named, folders)) continue;
    if (!(await isSuite(ctx, suiteId))) return;
    yield unnamed(suiteId, object.name);
  }
}

/** Retention is about to remove these. */
async function addLeft({ db }: CheckContext, suiteId: string, named: Set<number>): Promise<void> {
  for await (const names of findLeftObjects(db, suiteId)) {
    for (const name of names) named.add(readStoredName(name)?.key ?? 0);
  }
}

async function* checkSuite(ctx: CheckContext, suiteId: string, objects: number): AsyncGenerator<Fault> {
  for (const isIn of splitKeys(objects)) {
    const named = new Set<number>();
    yield* checkNamed(ctx, suiteId, isIn, named);
    await addLeft(ctx, suiteId, named);
    yield* checkStored(ctx, suiteId, isIn, named);
  }
}

/** Objects of deleted suites, unless a job is about to remove them. */
async function* checkDeleted(ctx: CheckContext, suiteIds: string[]): AsyncGenerator<Fault> {
  for (const suiteId of suiteIds) {
    if (await hasJobs(ctx.db, [jobKey('remove-suite-objects', { suiteId })], 'all')) continue;
    if (await isSuite(ctx, suiteId)) continue;
    for await (const object of ctx.storage.list(suitePrefix(suiteId))) {
      if (isSettled(ctx, object)) yield unnamed(suiteId, object.name);
    }
  }
}

/** Counts the objects of each suite's folder into `counts`. */
async function* countObjects(ctx: CheckContext, counts: Map<string, number>): AsyncGenerator<Fault> {
  for await (const object of ctx.storage.list('suites/')) {
    const suiteId = readStoredName(object.name)?.suiteId;
    if (suiteId !== undefined) counts.set(suiteId, (counts.get(suiteId) ?? 0) + 1);
    else if (isSettled(ctx, object)) yield unnamed(null, object.name);
  }
}

/**
 * Checks that every object that a row names is in storage, and that a row names every object in storage, unless it was
 * stored within the last hour. With `images`, every object is read and must have the hash in its name.
 */
export async function* checkObjects(
  ctx: CheckContext,
  suiteIds: string[],
  { images }: { images: boolean },
): AsyncGenerator<Fault> {
  const counts = new Map<string, number>();
  yield* countObjects(ctx, counts);
  for (const id of suiteIds) yield* checkSuite(ctx, id, counts.get(id) ?? 0);
  const known = new Set(suiteIds);
  yield* checkDeleted(
    ctx,
    [...counts.keys()].filter((id) => !known.has(id)),
  );
  if (images) yield* checkBytes(ctx.storage);
}

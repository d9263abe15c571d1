import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { readStoredName, splitKeys, suitePrefix, type Slice } from '../storage/object-name.ts';
import { isSuite } from '../suites/read-suite.ts';
import { listRunsByAge } from './going-run-store.ts';
import { findDueObjects, leaveObjects, settleObjects } from './left-object-store.ts';
import { listNamedByRun, listNamedBySuite } from './named-object-store.ts';
import { findFigures, measureLog, saveFigures } from './storage-figures-store.ts';
import { noAmounts, STORED_KINDS, type Amount, type StoredAmounts, type StoredKind } from './stored.ts';

/** A number for each kind and holder, because a suite can have a million objects. */
const KINDS = ['baselines', 'screenshots', 'diffs', 'elements'] as const satisfies StoredKind[];
const AS = { baseline: 0, screenshot: 1, diff: 2 } as const;
const ELEMENTS = 3;

/** Stands for a holder that retention never removes. */
const HELD = 2 ** 32 - 1;

/** The objects that rows name, by the `key` of their names: each with its kind, and the newest run that names it. */
type NamedObjects = {
  /** `run`: null if something holds it that retention never removes. */
  find(key: number): { kind: StoredKind; run: string | null } | null;
  logs: Amount;
};

/** `isIn`: which keys to look at. @throws when `signal` aborts. */
async function readNamedObjects(
  db: Db,
  { suiteId, now, isIn, signal }: { suiteId: string; now: Date; isIn: Slice; signal: AbortSignal },
): Promise<NamedObjects> {
  const named = new Map<number, number>();
  const runs: string[] = [];
  const logs = { count: 0, bytes: 0 };
  const note = (name: string, as: keyof typeof AS, holder: number) => {
    const { sha256 = null, key = 0 } = readStoredName(name) ?? {};
    if (sha256 === null || !isIn(key)) return;
    const kind = name.endsWith('.png') ? AS[as] : ELEMENTS;
    const known = named.get(key);
    const [wasKind, wasHolder] = known === undefined ? [kind, holder] : [known % 4, Math.floor(known / 4)];
    named.set(key, Math.max(holder, wasHolder) * 4 + Math.min(kind, wasKind));
  };
  for await (const some of listRunsByAge(db, { suiteId, now })) {
    for (const { id, isNeeded } of some) {
      signal.throwIfAborted();
      const holder = isNeeded ? HELD : runs.push(id) - 1;
      for await (const { name, as } of listNamedByRun(db, id)) note(name, as, holder);
      const log = await measureLog(db, id);
      logs.count += log.count;
      logs.bytes += log.bytes;
    }
  }
  // After the runs: what is copied from a result to a row of the suite meanwhile is found here at the latest.
  for await (const { name, as } of listNamedBySuite(db, suiteId)) note(name, as, HELD);
  return {
    find(key) {
      const known = named.get(key);
      if (known === undefined) return null;
      return { kind: KINDS[known % 4] ?? 'screenshots', run: runs[Math.floor(known / 4)] ?? null };
    },
    logs,
  };
}

type CountContext = Pick<Context, 'db' | 'storage' | 'clock' | 'config'>;

const DAY_MS = 86_400_000;
/** Left objects at a time. The rest follow at the next count. */
const MOST_LEFT = 100_000;

const add = (amount: Amount, bytes: number): void => {
  amount.count += 1;
  amount.bytes += bytes;
};

/**
 * Removes from storage what no row names, and adds it to `freed`. What is in the folder of another suite, with which versions
 * were compared, is for that one to remove.
 * @returns the keys of what is gone, and what to forget.
 */
async function removeLeft(
  { storage }: CountContext,
  names: readonly string[],
  { suiteId, named }: { suiteId: string; named: NamedObjects },
  { before, signal, freed }: { before: Date; signal: AbortSignal; freed: Amount },
): Promise<{ gone: Set<number>; settled: string[]; renewed: string[] }> {
  const [gone, settled, renewed] = [new Set<number>(), new Array<string>(), new Array<string>()];
  for (const name of names) {
    signal.throwIfAborted();
    const read = readStoredName(name);
    if (read?.suiteId !== suiteId || read.as !== 'own' || named.find(read.key) !== null) {
      settled.push(name);
      continue;
    }
    const size = (await storage.stat(name))?.size ?? 0;
    if ((await storage.removeOlder(name, before)) || (await storage.stat(name)) === null) {
      gone.add(read.key);
      settled.push(name);
      if (size > 0) add(freed, size);
      // Somebody has stored it again, and is about to name it.
    } else renewed.push(name);
  }
  return { gone, settled, renewed };
}

type Figures = { kinds: StoredAmounts; runs: Map<string, number>; freed: Amount };

/**
 * Counts what is stored, and removes smaller copies of what is gone.
 * @returns old objects that nothing names, such as those of trials that are forgotten
 */
async function countStored(
  { storage, clock }: CountContext,
  part: { suiteId: string; isIn: Slice; named: NamedObjects; gone: Set<number>; signal: AbortSignal },
  { kinds, runs, freed }: Figures,
): Promise<string[]> {
  const { suiteId, isIn, named, gone, signal } = part;
  const unnamed: string[] = [];
  for await (const { name, size, storedAt } of storage.list(suitePrefix(suiteId))) {
    signal.throwIfAborted();
    const read = readStoredName(name);
    if (read === null || !isIn(read.key)) continue;
    if (read.as === 'build') {
      add(kinds.builds, size);
      continue;
    }
    if (read.as === 'derived' && gone.has(read.key)) {
      if (await storage.removeOlder(name, new Date(clock.now().getTime() + DAY_MS))) add(freed, size);
      continue;
    }
    const found = named.find(read.key);
    const kind: StoredKind = found === null ? 'left' : read.as === 'derived' ? 'copies' : found.kind;
    add(kinds[kind], size);
    const isOld = storedAt !== null && clock.now().getTime() - storedAt.getTime() > DAY_MS;
    if (found === null && read.as === 'own' && isOld && unnamed.length < MOST_LEFT) unnamed.push(name);
    const run = found?.run ?? null;
    if (run !== null) runs.set(run, (runs.get(run) ?? 0) + size);
  }
  return unnamed;
}

const countOf = (kinds: StoredAmounts | undefined) =>
  kinds === undefined ? 0 : STORED_KINDS.reduce((sum, kind) => sum + kinds[kind].count, 0) - kinds.logs.count;

async function countSlice(
  ctx: CountContext,
  of: { suiteId: string; now: Date; isIn: Slice; signal: AbortSignal },
  figures: Figures,
): Promise<void> {
  const { suiteId, now, isIn, signal } = of;
  const before = new Date(now.getTime() - DAY_MS);
  const due = ctx.config.removeUnnamed ? await findDueObjects(ctx.db, suiteId, before, MOST_LEFT) : [];
  const left = due.filter((name) => isIn(readStoredName(name)?.key ?? 0));
  const named = await readNamedObjects(ctx.db, of);
  figures.kinds.logs = named.logs;
  const { gone, settled, renewed } = await removeLeft(
    ctx,
    left,
    { suiteId, named },
    { before, signal, freed: figures.freed },
  );
  const unnamed = await countStored(ctx, { suiteId, isIn, named, gone, signal }, figures);
  // Last, so that a count that is interrupted begins again with what it has not finished.
  await settleObjects(ctx.db, suiteId, before, settled);
  await leaveObjects(ctx.db, suiteId, { names: renewed, now, again: true });
  // Otherwise they would wait there for nothing, and fsck would not report them.
  if (ctx.config.removeUnnamed) await leaveObjects(ctx.db, suiteId, { names: unnamed, now, again: false });
}

/**
 * Counts what is stored of a suite, and what would go with each run. With `removeUnnamed` it also removes objects that were
 * left a day ago and that no row names (docs/rules.md, Baselines).
 * @returns what was removed.
 */
export async function countSuite(ctx: CountContext, suiteId: string, signal: AbortSignal): Promise<Amount> {
  const now = ctx.clock.now();
  const figures: Figures = { kinds: noAmounts(), runs: new Map(), freed: { count: 0, bytes: 0 } };
  const objects = countOf((await findFigures(ctx.db, suiteId))?.kinds);
  for (const isIn of splitKeys(objects)) await countSlice(ctx, { suiteId, now, isIn, signal }, figures);
  if (!(await isSuite(ctx, suiteId))) return figures.freed;
  const runs = [...figures.runs].map(([id, bytes]) => ({ id, bytes }));
  await inTransaction(ctx.db, async (trx) => saveFigures(trx, suiteId, { countedAt: now, kinds: figures.kinds }, runs));
  return figures.freed;
}

import type { Db } from '../db/database.ts';
import { listRunsByAge, OLDEST } from './going-run-store.ts';
import { listNamedByRun, listNamedBySuite } from './named-object-store.ts';
import { measureLog } from './storage-figures-store.ts';
import { readStoredName, shortKey } from './stored-name.ts';
import type { Amount, StoredKind } from './stored.ts';

/** A number for each kind and holder, because a suite can have a million objects. */
const KINDS = ['baselines', 'screenshots', 'diffs', 'elements'] as const satisfies StoredKind[];
const AS = { baseline: 0, screenshot: 1, diff: 2 } as const;
const ELEMENTS = 3;
const AT_ONCE = 200;

/** Whatever stays holds it. */
const HELD = 2 ** 32 - 1;

/** The objects that rows name, by `shortKey`: each with its kind, and the newest run that names it. */
export type NamedObjects = {
  /** `run`: null when it stays with something that no retention removes. */
  find(key: number): { kind: StoredKind; run: string | null } | null;
  logs: Amount;
};

/** `isIn`: which keys to look at. @throws when `signal` aborts. */
export async function readNamedObjects(
  db: Db,
  { suiteId, now, isIn, signal }: { suiteId: string; now: Date; isIn: (key: number) => boolean; signal: AbortSignal },
): Promise<NamedObjects> {
  const named = new Map<number, number>();
  const runs: string[] = [];
  const logs = { count: 0, bytes: 0 };
  const note = (name: string, as: keyof typeof AS, holder: number) => {
    const sha256 = readStoredName(name)?.sha256 ?? null;
    if (sha256 === null || !isIn(shortKey(sha256))) return;
    const kind = name.endsWith('.png') ? AS[as] : ELEMENTS;
    const known = named.get(shortKey(sha256));
    const [wasKind, wasHolder] = known === undefined ? [kind, holder] : [known % 4, Math.floor(known / 4)];
    named.set(shortKey(sha256), Math.max(holder, wasHolder) * 4 + Math.min(kind, wasKind));
  };
  let after = OLDEST;
  for (;;) {
    const some = await listRunsByAge(db, { suiteId, now, after, most: AT_ONCE });
    for (const { id, isNeeded } of some) {
      signal.throwIfAborted();
      const holder = isNeeded ? HELD : runs.push(id) - 1;
      for await (const { name, as } of listNamedByRun(db, id)) note(name, as, holder);
      const log = await measureLog(db, id);
      logs.count += log.count;
      logs.bytes += log.bytes;
    }
    const last = some.at(-1);
    if (last === undefined || some.length < AT_ONCE) break;
    after = { at: last.at, id: last.id };
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

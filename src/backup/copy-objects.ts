import { readStoredName, sha256InName } from '../storage/object-name.ts';
import type { Storage, StoredObject } from '../storage/storage.ts';
import { sha256Of } from '../text/sha256.ts';

/** Screenshots are megabytes, and each is whole in memory. */
const AT_ONCE = 4;

/** `known`: the target had it. `gone`: the source has it no more. `damaged`: its bytes are not those of its name. */
type CopiedObject =
  { name: string; outcome: 'copied' | 'known'; sha256: string } | { name: string; outcome: 'gone' | 'damaged' };

/** Does the work for all items, some at a time. */
export async function forEachItem<T>(items: AsyncIterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const open = new Set<Promise<void>>();
  for await (const item of items) {
    const done = work(item).finally(() => open.delete(done));
    // It is awaited, and handled, below.
    done.catch(() => undefined);
    open.add(done);
    if (open.size >= AT_ONCE) await Promise.race(open);
  }
  await Promise.all(open);
}

/** All objects except those that can be made again: thumbnails, tiles and parts of screenshots. */
async function* listObjects(storage: Storage): AsyncGenerator<StoredObject> {
  for await (const object of storage.list('suites/')) {
    const read = readStoredName(object.name);
    if (read !== null && read.as !== 'derived') yield object;
  }
}

/** The last date that JavaScript has. Whatever was stored, it was before. */
export const END_OF_TIME = new Date(8.64e15);

const hashOf = async (storage: Storage, name: string) => sha256Of((await storage.get(name)) ?? Buffer.alloc(0));

/** Objects never change, so one with the same name and size is the same. One of another size may be cut off. */
async function copyObject(from: Storage, to: Storage, { name, size }: StoredObject): Promise<CopiedObject> {
  const expected = sha256InName(name);
  const there = await to.stat(name);
  if (there?.size === size) return { name, outcome: 'known', sha256: expected ?? (await hashOf(to, name)) };
  if (there !== null && expected !== null && (await hashOf(to, name)) === expected) {
    return { name, outcome: 'known', sha256: expected };
  }
  const bytes = await from.get(name);
  if (bytes === null) return { name, outcome: 'gone' };
  const sha256 = sha256Of(bytes);
  if (expected !== null && sha256 !== expected) return { name, outcome: 'damaged' };
  // What is there would not be written again.
  if (there !== null) await to.removeOlder(name, END_OF_TIME);
  await to.put(name, bytes);
  return { name, outcome: 'copied', sha256 };
}

/** How many objects there were, how many of them were copied, and the names of those that are damaged. */
export type CopiedCounts = { objects: number; copied: number; damaged: string[] };

/**
 * Copies all objects that the target lacks, or has cut off.
 * @param onObject is told each one that the target has now
 */
export async function copyObjects(
  from: Storage,
  to: Storage,
  onObject: (object: { name: string; sha256: string }) => void = () => {},
): Promise<CopiedCounts> {
  const counts: CopiedCounts = { objects: 0, copied: 0, damaged: [] };
  await forEachItem(listObjects(from), async (listed) => {
    const object = await copyObject(from, to, listed);
    if (object.outcome === 'damaged') counts.damaged.push(object.name);
    if (!('sha256' in object)) return;
    counts.objects += 1;
    if (object.outcome === 'copied') counts.copied += 1;
    onObject(object);
  });
  return counts;
}

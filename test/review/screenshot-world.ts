import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { halfBlack } from '../api/fixture.ts';
import { screenshot, type World } from '../support/world.ts';

/** How many of ten rows are black in each screenshot. Two of them differ by ten times the difference, in percent. */
const ROWS = new Map(Object.entries({ a: 0, b: 3, c: 8, d: 1, e: 6, f: 4, g: 10 }));

/** The difference that `finishedRun` stores for every changed screenshot, whatever its content. */
export const COMPARED = 2.5;

export const percentBetween = (one: string, other: string) =>
  Math.abs((ROWS.get(one) ?? NaN) - (ROWS.get(other) ?? NaN)) * 10;

export type ScreenshotWorld = World & { storage: Storage; reads: string[]; remove: () => Promise<void> };

/** A world with a disk storage. `reads` lists the objects that were read. */
export async function withScreenshots(world: World): Promise<ScreenshotWorld> {
  const directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-screenshots-'));
  const storage = createDiskStorage(directory);
  const reads: string[] = [];
  const observed: Storage = {
    ...storage,
    async get(name) {
      reads.push(name);
      return storage.get(name);
    },
  };
  const remove = () => rm(directory, { recursive: true, force: true });
  return { ...world, ctx: { ...world.ctx, storage: observed }, storage: observed, reads, remove };
}

/** Stores the suite's screenshot for each letter. */
export async function storeScreenshots({ ctx }: ScreenshotWorld, suite: { id: string }): Promise<void> {
  for (const [letter, rows] of ROWS) await ctx.storage.put(screenshot(suite, letter), halfBlack(rows));
}

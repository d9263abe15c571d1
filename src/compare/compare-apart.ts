import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import { z } from 'zod';
import { unavailable } from '../errors.ts';
import { CODEC, readPngSize } from '../png/codec.ts';
import { bufferOver } from '../png/image.ts';
import { compareImages, type Comparison } from './compare-images.ts';
import type { CompareTask } from './compare-thread.ts';

const judge = z.object({ version: z.string() }).parse(createRequire(import.meta.url)('pixelmatch/package.json'));

/**
 * The libraries that compare and draw, with their versions. Results store them, because another version may count
 * differently. It is not where they are used, because threads that compare start faster without what reads it.
 */
export const COMPARE_ENGINE = `pixelmatch ${judge.version}; ${CODEC}`;

/** Two screenshots of 1,440 by 1,400 px together: they are compared within a second. */
const SMALL_PIXELS = 4_000_000;
/** A thread ends after this many milliseconds without work, and its memory is free again. */
const IDLE_MS = 30_000;
/** Far beyond what a comparison takes, with those that wait before it. Native code was seen that never returned. */
const LIMIT_MS = 600_000;

function withBuffers(comparison: Comparison): Comparison {
  const { diffImage, aligned } = comparison;
  return {
    ...comparison,
    diffImage: diffImage && bufferOver(diffImage),
    aligned: aligned && { baseline: bufferOver(aligned.baseline), current: bufferOver(aligned.current) },
  };
}

type ComparerOptions = {
  /** The maximum number of waiting comparisons of their size. Further ones are refused. */
  mostWaiting?: number;
  /** The compiled `compare-thread`. */
  entry?: URL;
  /** When it aborts, the comparison fails and its thread is replaced by another. */
  limit?: () => AbortSignal;
};

async function countPixels(baseline: Buffer, current: Buffer): Promise<number> {
  const sizes = [await readPngSize(baseline, 'baseline'), await readPngSize(current, 'current')];
  return sizes.reduce((sum, { width, height }) => sum + width * height, 0);
}

/** A comparison of large screenshots takes up to a GiB of memory, so these wait for each other. */
function startThreads(entry: URL, maxThreads: number): Tinypool {
  return new Tinypool({
    filename: entry.href,
    name: 'compare',
    minThreads: 0,
    maxThreads,
    idleTimeout: IDLE_MS,
  });
}

/**
 * Runs `compareImages` in another thread, because comparing two tall screenshots takes seconds, during which the
 * calling thread must answer or capture. Small screenshots don't wait for large ones.
 * @throws AppError unavailable when too many comparisons wait already.
 */
export function openImageComparer({
  mostWaiting = Infinity,
  entry = new URL('./compare-thread.js', import.meta.url),
  limit = () => AbortSignal.timeout(LIMIT_MS),
}: ComparerOptions = {}): { compareImages: typeof compareImages; close: () => Promise<void> } {
  const large = startThreads(entry, 1);
  const small = startThreads(entry, Math.max(1, availableParallelism() - 1));
  return {
    async compareImages(baseline, current, options) {
      if (baseline.equals(current)) return compareImages(baseline, current, options);
      const pool = (await countPixels(baseline, current)) <= SMALL_PIXELS ? small : large;
      if (pool.queueSize >= mostWaiting) {
        throw unavailable('Too many comparisons are waiting. Try again in a minute.', 'comparisons_busy');
      }
      const task: CompareTask = { baseline, current, options };
      return withBuffers(await pool.run(task, { signal: limit() }));
    },
    async close() {
      await Promise.all([small.destroy(), large.destroy()]);
    },
  };
}

import { Tinypool } from 'tinypool';
import { bufferOver } from '../buffer-over.ts';
import { AppError } from '../errors.ts';
import { compareImages } from './compare-images.ts';
import type { Comparison } from './compare-images.ts';
import type { CompareTask } from './compare-thread.ts';
import { readPngSize } from './png-codec.ts';

/** One comparison of large screenshots needs up to a GiB of memory, so they wait for each other. */
const THREADS = 1;
/** The thread ends after this many milliseconds without work, and its memory is free again. */
const IDLE_MS = 30_000;

export type ImageComparer = { compareImages: typeof compareImages; close: () => Promise<void> };

function withBuffers(comparison: Comparison): Comparison {
  const { diffImage, aligned } = comparison;
  return {
    ...comparison,
    diffImage: diffImage && bufferOver(diffImage),
    aligned: aligned && { baseline: bufferOver(aligned.baseline), current: bufferOver(aligned.current) },
  };
}

type ComparerOptions = {
  /** Pairs of up to this many pixels together are compared in the calling thread, which is quicker for them. */
  smallPixels?: number;
  /** Further comparisons are refused. */
  mostWaiting?: number;
  /** The compiled `compare-thread`. */
  entry?: URL;
};

async function countPixels(baseline: Buffer, current: Buffer): Promise<number> {
  const sizes = [await readPngSize(baseline, 'baseline'), await readPngSize(current, 'current')];
  return sizes.reduce((sum, { width, height }) => sum + width * height, 0);
}

/**
 * `compareImages` in a thread of its own: comparing two tall screenshots takes seconds without a pause, and meanwhile
 * nobody else would be answered, and no other page captured.
 * @throws AppError unavailable when too many comparisons wait already.
 */
export function openImageComparer({
  smallPixels = 0,
  mostWaiting = Infinity,
  entry = new URL('./compare-thread.js', import.meta.url),
}: ComparerOptions = {}): ImageComparer {
  const pool = new Tinypool({
    filename: entry.href,
    name: 'compare',
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
  });
  return {
    async compareImages(baseline, current, options) {
      if (baseline.equals(current) || (smallPixels > 0 && (await countPixels(baseline, current)) <= smallPixels)) {
        return compareImages(baseline, current, options);
      }
      if (pool.queueSize >= mostWaiting) {
        throw new AppError('unavailable', 'Too many comparisons are waiting. Try again in a minute.', {
          code: 'comparisons_busy',
        });
      }
      const task: CompareTask = { baseline, current, options };
      return withBuffers(await pool.run(task));
    },
    close: async () => pool.destroy(),
  };
}

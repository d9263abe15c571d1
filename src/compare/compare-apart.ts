import { Tinypool } from 'tinypool';
import { bufferOver } from '../buffer-over.ts';
import { AppError } from '../errors.ts';
import type { Comparison, compareImages } from './compare-images.ts';
import type { CompareTask } from './compare-thread.ts';

/** One comparison of large screenshots needs up to a GiB of memory, so they wait for each other. */
const THREADS = 1;
const MOST_WAITING = 20;
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

/**
 * `compareImages` in a thread of its own, for the web process: comparing two tall screenshots takes seconds without a
 * pause, and nobody else would be answered meanwhile.
 * @param entry the compiled `compare-thread`.
 * @throws AppError unavailable when too many comparisons wait already.
 */
export function openImageComparer(entry = new URL('./compare-thread.js', import.meta.url)): ImageComparer {
  const pool = new Tinypool({
    filename: entry.href,
    name: 'compare',
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
  });
  return {
    async compareImages(baseline, current, options) {
      if (pool.queueSize >= MOST_WAITING) {
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

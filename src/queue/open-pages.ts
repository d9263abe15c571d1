import { availableParallelism } from 'node:os';

/** Measured: pages wait for their server and for rest, mostly. The threads of a process share its processors. */
const PAGES_PER_PROCESSOR = 4;

/** How many pages one of so many worker threads of a process has open at once. */
export function countOpenPages(threads: number): number {
  return Math.max(4, Math.ceil((PAGES_PER_PROCESSOR * availableParallelism()) / threads));
}

import type { Run } from './run.ts';

/** Fewer say nothing of the pace: the first wait for the browser to start. */
const ENOUGH = 3;

/**
 * Seconds until a run in flight is through, if it goes on at the pace so far. Null while too little is settled, and for
 * errors that are taken again: the pace of a run that was finished before is nobody's.
 */
export function secondsLeft(
  run: Pick<Run, 'startedAt' | 'metadata'>,
  { settled, total }: { settled: number; total: number },
  now: Date,
): number | null {
  if (run.startedAt === null || run.metadata !== null || settled < ENOUGH) return null;
  const seconds = Math.max(0, now.getTime() - run.startedAt.getTime()) / 1000;
  return Math.ceil((seconds / settled) * (total - settled));
}

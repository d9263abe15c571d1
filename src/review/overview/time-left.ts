import type { Run } from '../../runs/run.ts';

/** With fewer results the estimate would be wrong, because the first ones wait for the browser to start. */
const ENOUGH = 3;

/**
 * Seconds until a run in flight ends, if it continues at the same pace. Null while too few results are settled. Also
 * null when errors are being re-run: the time since the start then includes the pause after the run had ended.
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

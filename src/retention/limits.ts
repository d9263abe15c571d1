import { z } from 'zod';

/** How long runs are kept: those of the last `days`, and of these the newest `runs`. 0: without limit. */
export type Limits = { days: number; runs: number };

/** The limits of a suite: its own settings, or those of the installation. */
export function limitsOf({ keepDays, keepRuns }: { keepDays: number; keepRuns: number }, installation: Limits): Limits {
  return { days: keepDays || installation.days, runs: keepRuns || installation.runs };
}

/** What is removed. `bytes`: of objects that nothing else names. */
export const Freed = z.object({ runs: z.number(), results: z.number(), bytes: z.number() });
export type Freed = z.output<typeof Freed>;

/** Null: no limits were asked for. */
export const limitsAsked = ({
  keepDays,
  keepRuns,
}: Partial<Record<'keepDays' | 'keepRuns', number | undefined>>): Limits | null =>
  keepDays === undefined && keepRuns === undefined ? null : { days: keepDays ?? 0, runs: keepRuns ?? 0 };

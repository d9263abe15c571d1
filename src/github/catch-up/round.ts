/** How far a look back at what happened has come. */
export type Round<Next> = {
  /** Everything before was looked at. */
  completeUntil: Date;
  /** When the round that goes on began: it completes the time before. Null: none goes on. */
  startedAt: Date | null;
  /** Where it goes on. */
  next: Next | null;
};

const HOUR_MS = 3_600_000;
/** The first round looks back as far. */
const FIRST_MS = 24 * HOUR_MS;
/** GitHub keeps deliveries for three days. */
const LONGEST_MS = 72 * HOUR_MS;
/** Rounds overlap: clocks differ, and lists show things late. */
const OVERLAP_MS = 5 * 60_000;

/** Since when a round looks at what happened. @param from nothing before is of interest; null: no such time */
export function beginOf(round: Round<unknown> | null, now: Date, from: Date | null): Date {
  const wanted = round === null ? now.getTime() - FIRST_MS : round.completeUntil.getTime() - OVERLAP_MS;
  return new Date(Math.max(wanted, now.getTime() - LONGEST_MS, from?.getTime() ?? 0));
}

/** The round after a job has looked at some more. @param next where another one is to go on; null: it is complete */
export function advance<Next>(round: Round<Next> | null, startedAt: Date, next: Next | null, begin: Date): Round<Next> {
  if (next !== null) return { completeUntil: round?.completeUntil ?? begin, startedAt, next };
  return { completeUntil: startedAt, startedAt: null, next: null };
}

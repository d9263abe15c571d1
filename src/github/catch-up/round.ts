/** How far a look back at what happened has come. */
export type Round = {
  /** Everything before was looked at. */
  completeUntil: Date;
  /** When the round that goes on began: it completes the time before. Null: none goes on. */
  startedAt: Date | null;
  /** Where it goes on. */
  next: string | null;
};

const HOUR_MS = 3_600_000;
/** The first round looks back as far. */
const FIRST_MS = 24 * HOUR_MS;
/** GitHub keeps deliveries for three days. */
const LONGEST_MS = 72 * HOUR_MS;
/** Rounds overlap: clocks differ, and lists show things late. */
const OVERLAP_MS = 5 * 60_000;

/** Since when a round looks at what happened. */
export function beginOf(round: Round | null, now: Date): Date {
  const wanted = round === null ? now.getTime() - FIRST_MS : round.completeUntil.getTime() - OVERLAP_MS;
  return new Date(Math.max(wanted, now.getTime() - LONGEST_MS));
}

/** The round after a job has looked at some more. @param next where another one is to go on; null: it is complete */
export function advance(round: Round | null, startedAt: Date, next: string | null, begin: Date): Round {
  if (next !== null) return { completeUntil: round?.completeUntil ?? begin, startedAt, next };
  return { completeUntil: startedAt, startedAt: null, next: null };
}

/** The progress of a round, which looks back at deliveries. */
export type Round = {
  /** Everything before this time has been checked. */
  completeUntil: Date;
  /** When the current round began. When it ends, everything before that is checked. Null: there is none. */
  startedAt: Date | null;
  /** Where it continues. */
  next: string | null;
};

const HOUR_MS = 3_600_000;
/** How far the first round looks back. */
const FIRST_MS = 24 * HOUR_MS;
/** GitHub keeps deliveries for three days. */
const LONGEST_MS = 72 * HOUR_MS;
/** Rounds overlap, because clocks differ and lists are updated late. */
const OVERLAP_MS = 5 * 60_000;

/** The time from which a round checks. */
export function beginOf(round: Round | null, now: Date): Date {
  const wanted = round === null ? now.getTime() - FIRST_MS : round.completeUntil.getTime() - OVERLAP_MS;
  return new Date(Math.max(wanted, now.getTime() - LONGEST_MS));
}

/** The round after a job has checked some more. @param next where another job should continue; null: it is complete */
export function advance(round: Round | null, startedAt: Date, next: string | null, begin: Date): Round {
  if (next !== null) return { completeUntil: round?.completeUntil ?? begin, startedAt, next };
  return { completeUntil: startedAt, startedAt: null, next: null };
}

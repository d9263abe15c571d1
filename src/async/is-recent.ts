/**
 * Whether `then` is less than `ms` ago. A time in the future is not: the clock was set back since, and what is kept from
 * then would otherwise be used for hours.
 */
export function isRecent(now: Date, then: Date, ms: number): boolean {
  const age = now.getTime() - then.getTime();
  return age >= 0 && age < ms;
}

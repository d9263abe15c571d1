/**
 * How often a property is tried: as often as it says, or less where `PROPERTY_RUNS` says so. For each mutant a few times are
 * enough.
 */
export function runs(count: number): { numRuns: number } {
  const { PROPERTY_RUNS } = process.env;
  return { numRuns: PROPERTY_RUNS === undefined ? count : Math.min(count, Number(PROPERTY_RUNS)) };
}

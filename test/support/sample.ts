/** Of a long list of cases, `npm test` takes the first of each so many. A file `*.long.*` takes the others. */
export function sample<T>(cases: readonly T[], oneOf: number): { sampled: T[]; others: T[] } {
  const isSampled = (at: number) => at % oneOf === 0;
  return {
    sampled: cases.filter((_, at) => isSampled(at)),
    others: cases.filter((_, at) => !isSampled(at)),
  };
}

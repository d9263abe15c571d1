/* In place of `compare-thread`, for compare-apart.process.test.ts: tells that it was asked. */
export function compare() {
  throw new Error('Asked in a thread of its own');
}

/* In place of `compare-thread`, for compare-apart.process.test.ts: never comes back from some, as native code may. */
export function compare({ options }) {
  if (options.threshold === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return { differentPixels: 7, diffImage: null, aligned: null };
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other work waits for the event loop no longer than this, plus one item. */
const TURN_MS = 20;

/** Iterates over the items of long work, with pauses in which other work can run. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}

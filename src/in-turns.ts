import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others wait no longer for the event loop than this and one item. */
const TURN_MS = 20;

/** The items of long work, with pauses in which others are served. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}

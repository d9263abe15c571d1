import { AsyncLocalStorage } from 'node:async_hooks';

/** `order`: its number among all work that has begun. */
type Work = { signal: AbortSignal; order: number };

const running = new AsyncLocalStorage<Work>();
let begun = 0;

/**
 * Does work that nobody needs once the signal is aborted: it then ends at its next statement. A transaction that has begun
 * goes on. Its statements come before those of work that began later.
 */
export async function whileWanted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  begun += 1;
  return running.run({ signal, order: begun }, work);
}

/** @throws the reason of the signal when the work is no longer wanted. */
export function assertWanted(): void {
  running.getStore()?.signal.throwIfAborted();
}

/** The place of the work in the order in which all work began. Outside of such work, a statement begins now. */
export function orderOfWork(): number {
  const work = running.getStore();
  if (work !== undefined) return work.order;
  begun += 1;
  return begun;
}

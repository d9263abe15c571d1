import { AsyncLocalStorage } from 'node:async_hooks';

const wanted = new AsyncLocalStorage<AbortSignal>();

/**
 * Does work that nobody needs once the signal is aborted: it then ends at its next statement. A transaction that has begun
 * goes on.
 */
export async function whileWanted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return wanted.run(signal, work);
}

/** @throws the reason of the signal when the work is no longer wanted. */
export function assertWanted(): void {
  wanted.getStore()?.throwIfAborted();
}

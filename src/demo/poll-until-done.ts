import { setTimeout as sleep } from 'node:timers/promises';

export type Poll<T> = {
  ask(): Promise<T>;
  isDone(answer: T): boolean;
  /** Called with every answer. Progress means that the returned text has changed. */
  onAnswer(answer: T): string;
  /** Milliseconds between polls, and how long to wait without progress. */
  interval: number;
  patience: number;
  /** Names the work in the message when `patience` has run out. */
  what: string;
  signal: AbortSignal;
};

/**
 * Polls until the work is done.
 * @throws when there is no progress for `patience`, or when the signal is aborted.
 */
export async function pollUntilDone<T>(poll: Poll<T>): Promise<T> {
  let last = '';
  let movedAt = performance.now();
  for (;;) {
    const answer = await poll.ask();
    const mark = poll.onAnswer(answer);
    if (poll.isDone(answer)) return answer;
    if (mark !== last) {
      last = mark;
      movedAt = performance.now();
    } else if (performance.now() - movedAt > poll.patience) {
      throw new Error(`${poll.what} has made no progress for ${Math.round(poll.patience / 1000)} seconds (${mark})`);
    }
    await sleep(poll.interval, undefined, { signal: poll.signal });
  }
}

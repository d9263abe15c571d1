import { setTimeout as sleep } from 'node:timers/promises';

export type Poll<T> = {
  ask(): Promise<T>;
  isDone(answer: T): boolean;
  /** Told of every answer; what it returns tells whether the work moved on. */
  onAnswer(answer: T): string;
  /** Milliseconds between questions, and how long nothing may move. */
  interval: number;
  patience: number;
  /** For the message when patience ends. */
  what: string;
  signal: AbortSignal;
};

/**
 * Asks until the work is done.
 * @throws when nothing moved for `patience`, or when the signal fires.
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

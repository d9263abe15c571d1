import { settlesWithin } from '../async/time-limit.ts';
import type { Logger } from '../logger.ts';

/** An external service that jobs need, such as the image storage. */
export type Part = {
  name: string;
  /** Whether this is why a job failed. */
  isCauseOf(error: unknown): boolean;
  /** Rejects while the part can't be used. */
  check(): Promise<unknown>;
};

export type AwaitPart = (error: unknown, signal: AbortSignal) => Promise<void> | null;

const CHECK_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** If a part works this long, it counts as recovered: a later failure starts with the shortest pause again. */
const SOUND_MS = 60_000;

/** @throws the signal's reason, as soon as it is aborted */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Waits for the part that a job failed for, so that an outage costs no attempt. Null: the job failed for another
 * reason. If a part reports that it is back and fails again, it is asked after longer and longer pauses, up to 15 s.
 * @param onPart is told when a part is away, and when nobody waits for it any more
 * @throws the signal's reason
 */
export function awaitParts(
  parts: Part[],
  log: Logger,
  onPart: (name: string, isAway: boolean) => void = () => {},
): AwaitPart {
  const backAt = new Map<Part, { at: number; next: number }>();
  const waiting = new Map<Part, number>();

  function wait(part: Part, by: 1 | -1): void {
    const count = (waiting.get(part) ?? 0) + by;
    waiting.set(part, count);
    if (count === 0 || (count === 1 && by === 1)) onPart(part.name, count === 1);
  }

  async function untilBack(part: Part, error: unknown, signal: AbortSignal): Promise<void> {
    const last = backAt.get(part);
    let pauseMs = last === undefined || performance.now() - last.at > SOUND_MS ? FIRST_PAUSE_MS : last.next;
    log.warn({ part: part.name, err: error }, 'a part is away: this worker waits for it');
    for (;;) {
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      if (await settlesWithin(CHECK_MS, part.check()).catch(() => false)) break;
    }
    backAt.set(part, { at: performance.now(), next: pauseMs });
    log.info({ part: part.name }, 'the part is back');
  }

  return (error, signal) => {
    const part = parts.find((each) => each.isCauseOf(error));
    if (part === undefined) return null;
    wait(part, 1);
    return untilBack(part, error, signal).finally(() => wait(part, -1));
  };
}

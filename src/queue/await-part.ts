import type { Logger } from '../logger.ts';
import { withTimeLimit } from '../time-limit.ts';

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
 * @throws the signal's reason
 */
export function awaitParts(parts: Part[], log: Logger, firstPauseMs = FIRST_PAUSE_MS): AwaitPart {
  const backAt = new Map<Part, { at: number; next: number }>();

  async function untilBack(part: Part, error: unknown, signal: AbortSignal): Promise<void> {
    const last = backAt.get(part);
    let wait = last === undefined || performance.now() - last.at > SOUND_MS ? firstPauseMs : last.next;
    log.warn({ part: part.name, err: error }, 'a part is away: this worker waits for it');
    for (;;) {
      await pause(wait, signal);
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
      const usable = withTimeLimit(CHECK_MS, part.check(), () => new Error('It did not respond'));
      if (await usable.then(() => true).catch(() => false)) break;
    }
    backAt.set(part, { at: performance.now(), next: wait });
    log.info({ part: part.name }, 'the part is back');
  }

  return (error, signal) => {
    const part = parts.find((each) => each.isCauseOf(error));
    return part === undefined ? null : untilBack(part, error, signal);
  };
}

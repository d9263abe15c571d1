import { countBeats } from './pulse.ts';
import type { Pulse } from './pulse.ts';

/** How often `look` is to be called. */
export const LOOK_MS = 1_000;

/**
 * Finds threads whose event loop has not turned for `blockedMs`. Each is found once, until it starts again. A process that was
 * itself held up, as by a crowded machine or one that slept, starts over: it cannot tell who slept.
 */
export function createPulseWatch(pulses: ReadonlyMap<string, Pulse>, blockedMs: number) {
  const seen = new Map<string, { beats: bigint; since: number }>();
  let lookedAt = 0;

  return {
    /** @param now milliseconds of a clock that never goes back. @returns the names of blocked threads. */
    look(now: number): string[] {
      if (now - lookedAt > 2 * LOOK_MS) seen.clear();
      lookedAt = now;
      return [...pulses].flatMap(([name, pulse]) => {
        const beats = countBeats(pulse);
        const last = seen.get(name);
        if (last?.beats !== beats) seen.set(name, { beats, since: now });
        if (last?.beats !== beats || beats === 0n || now - last.since < blockedMs) return [];
        // It is not found again before it beats.
        seen.set(name, { beats, since: Infinity });
        return [name];
      });
    },
  };
}

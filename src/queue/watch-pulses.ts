import { countBeats, type Pulse } from './pulse.ts';

/** How often `look` should be called. */
export const LOOK_MS = 1_000;

/**
 * Finds threads whose event loop has been blocked for `blockedMs`. Each is reported once, until it starts again. If the
 * process itself was held up, because the machine was busy or asleep, it starts over, because it can't tell what was
 * blocked.
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
        // It is not reported again before its count changes.
        seen.set(name, { beats, since: Infinity });
        return [name];
      });
    },
  };
}

import type { Watch } from './watch-script.ts';

/*
 * Page time is a sum of delays: that of a timer, of the timer that set it, and so on. It is the same for each load of a
 * page, however long that takes. A stopped and advanced clock shows page time.
 */

/**
 * A callback that is running or has run. `turns` counts the callbacks of its chain, which have the same delay;
 * `fruitless` counts the latest of them that changed nothing.
 */
type Turn = { at: number; limit: number; delay: number; turns: number; fruitless: number; changed: boolean };

export type Timer = {
  due: number;
  /** The page time of `due`. */
  at: number;
  /** It is waited for until this page time, even if timers that were set later have more. */
  limit: number;
  delay: number;
  parent: Turn | null;
  /** Like in a turn. */
  turns: number;
  fruitless: number;
  kind: 'once' | 'again';
  /** Runs it now. Null if that would not be equivalent. */
  runNow: (() => void) | null;
};

/** Follows which timer is set by the turn of which other, and whether its turns change the page. */
export function followTurns({ now, changes, flush }: Watch, limitNow: () => number) {
  const lastTurns = new Map<number, { changes: number; turns: number; fruitless: number }>();
  let turn: Turn | null = null;
  let reached = 0;
  const fruitlessTurns = ({ parent, fruitless }: Pick<Timer, 'parent' | 'fruitless'>) => {
    if (parent === null) return fruitless;
    return parent.changed ? 0 : parent.fruitless + 1;
  };
  return {
    fruitlessTurns,
    reached: () => reached,
    /** A timer that an asynchronous function sets has no parent. It is recognized by its delay. */
    open(delay: number, kind: Timer['kind']): Timer {
      // Changes that the function made after it slept are not counted yet.
      if (turn === null) flush();
      const last = turn === null ? lastTurns.get(delay) : undefined;
      const again = last !== undefined && last.changes === changes();
      const turns = (turn?.delay === delay ? turn.turns : last?.turns) ?? 0;
      const fruitless = again ? last.fruitless + 1 : 0;
      const at = (turn?.at ?? reached) + delay;
      const limit = turn?.limit ?? limitNow();
      return { due: now() + delay, at, limit, delay, parent: turn, turns, fruitless, kind, runNow: null };
    },
    run(timer: Timer, work: () => unknown): unknown {
      const outer = turn;
      const before = changes();
      const { at, limit, delay } = timer;
      const mine = { at, limit, delay, turns: timer.turns + 1, fruitless: fruitlessTurns(timer), changed: false };
      turn = mine;
      reached = Math.max(reached, at);
      try {
        return work();
      } finally {
        turn = outer;
        flush();
        mine.changed = changes() > before;
        const fruitless = mine.changed ? 0 : mine.fruitless;
        lastTurns.set(delay, { changes: changes(), turns: mine.turns, fruitless });
        Object.assign(timer, { due: now() + delay, at: at + delay, parent: mine, turns: mine.turns });
      }
    },
  };
}

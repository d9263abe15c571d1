import { z } from 'zod';
import { followTurns, type Timer } from './follow-turns.ts';
import type { Call, Watch } from './watch-script.ts';

/** The unfinished work of a document. Times are in milliseconds. */
export const Work = z.object({
  /** Until the last of the timers that may still change the page. 0: there are none. */
  due: z.number(),
  /** The same without recurring timers, whose turns can be brought forward. */
  awaited: z.number(),
  /** A timer that has changed the page runs again, later than the limit. */
  moves: z.boolean(),
  /** Page times of the timers that run once, later than the limit, and may change the page. */
  late: z.array(z.number()),
  /** The page time of the latest timer that has run. */
  reached: z.number(),
  /** Timers, frames or streams are alive that have changed nothing so far. */
  live: z.boolean(),
});
export type Work = z.infer<typeof Work>;

export type Timers = {
  /** `limit`: timers of a later page time are not waited for. */
  read: (limit: number) => Work;
  /** The time until the last timer within this limit that ends momentary content. 0: there are none. */
  momentEnds: (within: number) => number;
  /** Runs the next turn of recurring timers, up to this page time, instead of waiting for it. */
  bringForward: (limit: number) => void;
  /** Runs the next turn of each timer that changes the page, and holds all later ones. */
  turnOnce: () => void;
};

type TimerList = {
  timers: Map<unknown, Timer>;
  turns: ReturnType<typeof followTurns>;
  /** Whether the timer no longer runs by itself. */
  isHeld: (timer: Timer) => boolean;
};

/** @param kind distinguishes the ids of timers, frames and idle callbacks */
export function followStart(
  { timers, turns, isHeld }: TimerList,
  kind: string,
  open: (args: unknown[]) => Timer,
  { repeats = false, clear }: { repeats?: boolean; clear?: (id: unknown) => void } = {},
): Call {
  const call: Call = (original, self, args) => {
    const [work] = args;
    if (typeof work !== 'function') {
      const id = Reflect.apply(original, self, args);
      // Text that a timer runs is left alone. One that does nothing runs right after it, and is waited for.
      if (typeof work === 'string') call(original, self, [() => undefined, ...args.slice(1)]);
      return id;
    }
    const timer = open(args);
    let key = '';
    function tick(this: unknown, ...values: unknown[]): unknown {
      if (isHeld(timer)) {
        timer.runNow = () => tick.apply(this, values);
        return undefined;
      }
      if (!repeats) timers.delete(key);
      return turns.run(timer, () => Reflect.apply(Object(work), this, values));
    }
    const id = Reflect.apply(original, self, [tick, ...args.slice(1)]);
    key = `${kind} ${String(id)}`;
    timers.set(key, timer);
    if (repeats) timer.runNow = () => tick.apply(globalThis, args.slice(2));
    else if (clear !== undefined && timer.turns > 0) {
      timer.runNow = () => {
        clear(id);
        tick.apply(globalThis, args.slice(2));
      };
    }
    return id;
  };
  return call;
}

/** Keeps the list of timers, frames, idle callbacks, delayed tasks and timeouts. */
export function wrapTimers({ wrap, hurry }: Watch, list: TimerList): void {
  const SOME_FRAMES_MS = 50;
  const { timers, turns } = list;
  const delayFrom = (value: unknown) => Math.max(0, Number(value) || 0);
  // The browser runs those at once whose delay does not fit into 32 bits.
  const openTimer =
    (kind: Timer['kind']) =>
    ([, delay]: unknown[]) =>
      turns.open(delayFrom(Number(delay) | 0), kind);
  const clear = clearTimeout.bind(globalThis);
  const clearTimer = (id: unknown) => clear(Number(id));
  const openIdle = () => turns.open(50, 'again');
  const openFrame = () => turns.open(16, 'again');
  const start = followStart(list, 'timer', openTimer('once'), { clear: clearTimer });
  wrap(globalThis, 'setTimeout', hurry(start));
  wrap(globalThis, 'setInterval', followStart(list, 'timer', openTimer('again'), { repeats: true }));
  wrap(globalThis, 'requestIdleCallback', followStart(list, 'idle', openIdle));
  wrap(globalThis, 'requestAnimationFrame', hurry(followStart(list, 'frame', openFrame)));
  const stop =
    (kind: string): Call =>
    (original, self, args) => {
      timers.delete(`${kind} ${String(args[0])}`);
      return Reflect.apply(original, self, args);
    };
  wrap(globalThis, 'clearTimeout', stop('timer'));
  wrap(globalThis, 'clearInterval', stop('timer'));
  wrap(globalThis, 'cancelIdleCallback', stop('idle'));
  wrap(globalThis, 'cancelAnimationFrame', stop('frame'));
  if ('scheduler' in globalThis) {
    wrap(Object.getPrototypeOf(globalThis.scheduler), 'postTask', (original, self, args) => {
      const [, options] = args;
      const delay = typeof options === 'object' && options !== null ? Reflect.get(options, 'delay') : 0;
      const key = {};
      timers.set(key, turns.open(delayFrom(delay), 'once'));
      const task = Promise.resolve(Reflect.apply(original, self, args));
      return task.finally(() => timers.delete(key));
    });
  }
  wrap(AbortSignal, 'timeout', (original, self, args) => {
    const key = {};
    timers.set(key, turns.open(delayFrom(args[0]), 'again'));
    const signal = Reflect.apply(original, self, args);
    if (signal instanceof AbortSignal) signal.addEventListener('abort', () => timers.delete(key), { once: true });
    return signal;
  });
  // Animations that are shown are ended at once. Of any other, the page's own handlers may still tell the end.
  const later = setTimeout.bind(globalThis);
  const awaitUnseen: Call = (original, self, args) => {
    const result = Reflect.apply(original, self, args);
    const animation = result ?? self;
    const effect = animation instanceof Animation ? animation.effect : null;
    const end = Number(effect?.getComputedTiming().endTime);
    const isSeen = effect instanceof KeyframeEffect && effect.target?.isConnected === true;
    if (!isSeen && Number.isFinite(end)) later(() => undefined, end + SOME_FRAMES_MS);
    return result;
  };
  wrap(Element.prototype, 'animate', awaitUnseen);
  wrap(Animation.prototype, 'play', awaitUnseen);
}

/** Runs these timers now, in the order in which they are due. */
export function runTimers(timers: Timer[], report: (error: unknown) => void): void {
  for (const timer of timers.sort((one, other) => one.due - other.due)) {
    try {
      timer.runNow?.();
    } catch (error) {
      report(error);
    }
  }
}

/**
 * A timer holds the page unless it belongs to a chain that changed nothing in its last turns, which is polling.
 * @param latest page time: later timers that may change the page once don't run, so that a slow load shows no more than
 *   a quick one.
 */
export function watchTimers(watch: Watch, latest: number): Timers {
  const PATIENT_TURNS = 2;
  /** Activity that changed nothing for this long no longer counts, ms of page time. */
  const PATIENT_MS = 3000;
  /** Content that is shown longer than this is not momentary, ms. */
  const LONGEST_MOMENT_MS = 500;
  /** Less frequent changes than this are not motion, ms. */
  const SLOWEST_MS = 10_000;
  /** Two consecutive timers may have the same delay by chance. More are a chain, which may never end. */
  const CHAIN_TURNS = 2;
  /** Timers that are due soon are not brought forward, ms. */
  const SOON_MS = 250;
  const { now } = watch;
  const report = reportError.bind(globalThis);
  const timers = new Map<unknown, Timer>();
  let [end, holds] = [latest, false];
  const turns = followTurns(watch, () => end);
  const isWithin = (timer: Timer, limit: number) => timer.at <= Math.min(limit, timer.limit);
  const isPatient = (timer: Timer) => turns.fruitlessTurns(timer) <= PATIENT_TURNS;
  const mayChangeOnce = (timer: Timer) => timer.kind === 'once' && isPatient(timer) && timer.turns < CHAIN_TURNS;
  /** What ends momentary content always runs. */
  const isTooLate = (timer: Timer) => !isWithin(timer, end) && timer.delay > LONGEST_MOMENT_MS && mayChangeOnce(timer);
  const changesPage = ({ parent }: Timer) => parent?.changed === true;
  const isFarOff = ({ runNow, delay }: Timer) => runNow !== null && delay >= SOON_MS;
  wrapTimers(watch, { timers, turns, isHeld: (timer) => isTooLate(timer) || (holds && changesPage(timer)) });
  return {
    read(limit) {
      end = Math.max(end, limit);
      const late = new Set<number>();
      const work = { due: 0, awaited: 0, moves: false, live: false, reached: turns.reached() };
      for (const timer of timers.values()) {
        if (!isWithin(timer, limit)) {
          if (changesPage(timer) && timer.delay <= SLOWEST_MS) work.moves = true;
          if (mayChangeOnce(timer)) late.add(Math.ceil(timer.at));
          continue;
        }
        const due = Math.max(timer.due - now(), 1);
        if (isPatient(timer)) work.due = Math.max(work.due, due);
        else if (turns.fruitlessTurns(timer) * timer.delay < PATIENT_MS) work.live = true;
        if (isPatient(timer) && !isFarOff(timer)) work.awaited = Math.max(work.awaited, due);
      }
      return { ...work, late: [...late] };
    },
    bringForward(limit) {
      const wanted = [...timers.values()].filter((timer) => isWithin(timer, limit) && isFarOff(timer));
      runTimers(wanted.filter(isPatient), report);
    },
    turnOnce() {
      holds = false;
      runTimers([...timers.values()].filter(changesPage), report);
      holds = true;
    },
    momentEnds(within) {
      const moments = [...timers.values()].filter(
        ({ kind, delay, parent }) => kind === 'once' && delay <= LONGEST_MOMENT_MS && parent?.delay !== delay,
      );
      return Math.max(0, ...moments.map(({ due }) => due - now()).filter((left) => left <= within));
    },
  };
}

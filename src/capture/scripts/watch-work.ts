import type { Call, Watch } from './watch-script.ts';

/*
 * Page time is a sum of delays: that of a timer, of the timer that set it, and so on. It is the same for each load of a
 * page, however long that takes. A stopped and advanced clock shows page time.
 */

/** The unfinished work of a document. Times are in milliseconds. */
type Work = {
  /** Until the last of the timers that may still change the page. 0: there are none. */
  due: number;
  /** The same without the timers whose turns can be brought forward. */
  awaited: number;
  /** A timer that has changed the page runs again, later than the limit. */
  moves: boolean;
  /** Page times of the timers that run once, later than the limit, and may change the page. */
  late: number[];
  /** The page time of the latest timer that has run. */
  reached: number;
  /** Timers, frames or streams are alive that have changed nothing so far. */
  live: boolean;
};

export type Timers = {
  /** `limit`: timers of a later page time are not waited for. */
  read: (limit: number) => Work;
  /** The time until the last timer within this limit that ends momentary content. 0: there are none. */
  momentEnds: (within: number) => number;
  /** Runs the next turn of recurring timers, up to this page time, instead of waiting for it. */
  bringForward: (limit: number) => void;
};

/**
 * Keeps the list of timers, frames and idle callbacks. A timer holds the page unless it belongs to a chain that changed
 * nothing in its last turns, which is polling.
 * @param latest page time: later timers that may change the page once don't run, so that a slow load shows no more than
 *   a quick one.
 */
export function watchTimers({ now, changes, flush, wrap }: Watch, latest: number): Timers {
  /**
   * A callback that is running or has run. `turns` counts the callbacks of its chain, which have the same delay;
   * `fruitless` counts the latest of them that changed nothing.
   */
  type Turn = { at: number; delay: number; turns: number; fruitless: number; changed: boolean };
  type Timer = {
    due: number;
    /** The page time of `due`. */
    at: number;
    delay: number;
    parent: Turn | null;
    /** Like in a turn. */
    turns: number;
    fruitless: number;
    kind: 'once' | 'again';
    /** Runs it now. Null if that would not be equivalent. */
    runNow: (() => void) | null;
  };
  const PATIENT_TURNS = 2;
  /** Activity that changed nothing for this long no longer counts, ms of page time. */
  const PATIENT_MS = 3000;
  /** Content that is shown longer than this is not momentary, ms. */
  const LONGEST_MOMENT_MS = 500;
  /** Less frequent changes than this are not motion, ms. */
  const SLOWEST_MS = 10_000;
  const timers = new Map<unknown, Timer>();
  const lastTurns = new Map<number, { changes: number; turns: number; fruitless: number }>();
  let turn: Turn | null = null;
  let reached = 0;

  /** A timer that an asynchronous function sets has no parent. It is recognized by its delay. */
  const open = (delay: number, kind: Timer['kind']): Timer => {
    // Changes that the function made after it slept are not counted yet.
    if (turn === null) flush();
    const last = turn === null ? lastTurns.get(delay) : undefined;
    const again = last !== undefined && last.changes === changes();
    const turns = (turn?.delay === delay ? turn.turns : last?.turns) ?? 0;
    const fruitless = again ? last.fruitless + 1 : 0;
    return {
      due: now() + delay,
      at: (turn?.at ?? reached) + delay,
      delay,
      parent: turn,
      turns,
      fruitless,
      kind,
      runNow: null,
    };
  };
  const countFruitless = ({ parent, fruitless }: Timer) => {
    if (parent === null) return fruitless;
    return parent.changed ? 0 : parent.fruitless + 1;
  };
  const run = (timer: Timer, work: () => unknown): unknown => {
    const outer = turn;
    const before = changes();
    const { at, delay } = timer;
    const mine = { at, delay, turns: timer.turns + 1, fruitless: countFruitless(timer), changed: false };
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
  };
  const delayFrom = (value: unknown) => Math.max(0, Number(value) || 0);

  /** Two consecutive timers may have the same delay by chance. More are a chain, which may never end. */
  const CHAIN_TURNS = 2;
  const mayChangeOnce = (timer: Timer) =>
    timer.kind === 'once' && countFruitless(timer) <= PATIENT_TURNS && timer.turns < CHAIN_TURNS;
  let end = latest;
  /** What ends momentary content always runs. */
  const isTooLate = (timer: Timer) => timer.at > end && timer.delay > LONGEST_MOMENT_MS && mayChangeOnce(timer);

  /** `kind` distinguishes the ids of timers, frames and idle callbacks. */
  const start = (
    kind: string,
    delayed: (args: unknown[]) => Timer,
    repeats = false,
    clear?: (id: unknown) => void,
  ): Call => {
    const call: Call = (original, self, args) => {
      const [work] = args;
      if (typeof work !== 'function') {
        const id = Reflect.apply(original, self, args);
        // Text that a timer runs is left alone. One that does nothing runs right after it, and is waited for.
        if (typeof work === 'string') call(original, self, [() => undefined, ...args.slice(1)]);
        return id;
      }
      const timer = delayed(args);
      let key = '';
      function tick(this: unknown, ...values: unknown[]): unknown {
        if (isTooLate(timer)) {
          timer.runNow = () => tick.apply(this, values);
          return undefined;
        }
        if (!repeats) timers.delete(key);
        return run(timer, () => Reflect.apply(Object(work), this, values));
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
  };
  const stop =
    (kind: string): Call =>
    (original, self, args) => {
      timers.delete(`${kind} ${String(args[0])}`);
      return Reflect.apply(original, self, args);
    };
  const afterDelay =
    (timerKind: Timer['kind']) =>
    ([, delay]: unknown[]) =>
      open(delayFrom(delay), timerKind);
  const clear = clearTimeout.bind(globalThis);
  const clearTimer = (id: unknown) => clear(Number(id));
  const report = reportError.bind(globalThis);
  wrap(globalThis, 'setTimeout', start('timer', afterDelay('once'), false, clearTimer));
  wrap(globalThis, 'setInterval', start('timer', afterDelay('again'), true));
  wrap(
    globalThis,
    'requestIdleCallback',
    start('idle', () => open(50, 'again')),
  );
  wrap(
    globalThis,
    'requestAnimationFrame',
    start('frame', () => open(16, 'again')),
  );
  wrap(globalThis, 'clearTimeout', stop('timer'));
  wrap(globalThis, 'clearInterval', stop('timer'));
  wrap(globalThis, 'cancelIdleCallback', stop('idle'));
  wrap(globalThis, 'cancelAnimationFrame', stop('frame'));
  if ('scheduler' in globalThis) {
    wrap(Object.getPrototypeOf(globalThis.scheduler), 'postTask', (original, self, args) => {
      const [, options] = args;
      const delay = typeof options === 'object' && options !== null ? Reflect.get(options, 'delay') : 0;
      const key = {};
      timers.set(key, open(delayFrom(delay), 'once'));
      const task = Promise.resolve(Reflect.apply(original, self, args));
      return task.finally(() => timers.delete(key));
    });
  }

  wrap(AbortSignal, 'timeout', (original, self, args) => {
    const key = {};
    timers.set(key, open(delayFrom(args[0]), 'again'));
    const signal = Reflect.apply(original, self, args);
    if (signal instanceof AbortSignal) signal.addEventListener('abort', () => timers.delete(key), { once: true });
    return signal;
  });

  /** Timers that are due soon are not brought forward. */
  const SOON_MS = 250;
  const isFarOff = ({ runNow, delay }: Timer) => runNow !== null && delay >= SOON_MS;
  const bringForward = (limit: number) => {
    const next = [...timers.values()].filter(
      (timer) => timer.at <= limit && isFarOff(timer) && countFruitless(timer) <= PATIENT_TURNS,
    );
    for (const timer of next.sort((one, other) => one.due - other.due)) {
      try {
        timer.runNow?.();
      } catch (error) {
        report(error);
      }
    }
  };
  const read = (limit: number) => {
    end = Math.max(end, limit);
    const late = new Set<number>();
    const work = { due: 0, awaited: 0, moves: false, live: false, reached };
    for (const timer of timers.values()) {
      if (timer.at > limit) {
        if (timer.parent?.changed === true && timer.delay <= SLOWEST_MS) work.moves = true;
        if (mayChangeOnce(timer)) late.add(Math.ceil(timer.at));
        continue;
      }
      const holds = countFruitless(timer) <= PATIENT_TURNS;
      const due = Math.max(timer.due - now(), 1);
      if (holds) work.due = Math.max(work.due, due);
      else if (countFruitless(timer) * timer.delay < PATIENT_MS) work.live = true;
      if (holds && !isFarOff(timer)) work.awaited = Math.max(work.awaited, due);
    }
    return { ...work, late: [...late] };
  };
  return {
    read,
    bringForward,
    momentEnds: (within) => {
      const moments = [...timers.values()].filter(
        ({ kind, delay, parent }) => kind === 'once' && delay <= LONGEST_MOMENT_MS && parent?.delay !== delay,
      );
      return Math.max(0, ...moments.map(({ due }) => due - now()).filter((left) => left <= within));
    },
  };
}

type Streams = {
  /** Whether something is still expected from one of them. */
  areSilent: () => boolean;
  /** Whether the page has registered a service worker. */
  haveServiceWorker: () => boolean;
};

/**
 * A stream or worker that has not said anything yet, or a service worker that is not active yet. After some time it is
 * not waited for.
 */
export function watchStreams({ now, wrap }: Watch): Streams {
  const SILENT_MS = 3000;
  let streams: { since: number }[] = [];
  let registers = false;
  /** @returns a function to call when it is no longer waited for. */
  const begin = () => {
    const stream = { since: now() };
    streams.push(stream);
    return () => {
      streams = streams.filter((each) => each !== stream);
    };
  };
  for (const name of ['EventSource', 'WebSocket', 'Worker', 'SharedWorker']) {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
    const original: unknown = descriptor?.value;
    if (typeof original !== 'function') continue;
    const construct = (target: object, args: unknown[], newTarget: object): object => {
      const opened: unknown = Reflect.construct(Object(target), args, Object(newTarget));
      if (!(opened instanceof EventTarget)) throw new TypeError('Illegal constructor');
      const heard = begin();
      const port: unknown = Reflect.get(opened, 'port');
      for (const event of ['message', 'error', 'close']) {
        opened.addEventListener(event, heard, { once: true });
        if (port instanceof MessagePort) port.addEventListener(event, heard, { once: true });
      }
      return opened;
    };
    Object.defineProperty(globalThis, name, { ...descriptor, value: new Proxy(original, { construct }) });
  }
  if ('ServiceWorkerContainer' in globalThis) {
    wrap(ServiceWorkerContainer.prototype, 'register', (original, self, args) => {
      registers = true;
      const active = begin();
      const registering = Promise.resolve(Reflect.apply(original, self, args));
      registering.then((registration) => {
        const worker = registration instanceof ServiceWorkerRegistration ? registration.installing : null;
        if (worker === null) active();
        else {
          worker.addEventListener('statechange', () => {
            if (worker.state === 'activated' || worker.state === 'redundant') active();
          });
        }
      }, active);
      return registering;
    });
  }
  return {
    areSilent: () => streams.some(({ since }) => now() - since < SILENT_MS),
    haveServiceWorker: () => registers,
  };
}

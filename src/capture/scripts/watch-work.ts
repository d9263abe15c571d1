import type { Call, Watch } from './watch-script.ts';

/** What a document has started and not finished. Times are in milliseconds. */
export type Work = {
  /** Until the last of the timers that may still change the page. 0: there are none. */
  due: number;
  /** A timer that has changed the page runs again, later than that. */
  moves: boolean;
  /** Timers, frames or streams are alive that have changed nothing so far. */
  live: boolean;
  /** Frames are requested one after the other. */
  frames: boolean;
  /** How many frames have been drawn. */
  drawn: number;
};

/**
 * Keeps the list of timers, frames and idle callbacks. A timer holds the page unless it belongs to a chain that changed
 * nothing in its last turns, which is polling.
 */
export function watchTimers({ now, changes, flush, wrap }: Watch): (limit: number) => Work {
  /** A callback that is running, or ran. `fruitless` counts the turns of its chain that changed nothing. */
  type Turn = { fruitless: number; changed: boolean };
  type Timer = { due: number; delay: number; parent: Turn | null; fruitless: number; frame: boolean };
  const PATIENT_TURNS = 2;
  /** What moves the page less often is no motion, ms. */
  const SLOWEST_MS = 10_000;
  const timers = new Map<unknown, Timer>();
  const lastTurns = new Map<number, { changes: number; fruitless: number }>();
  let turn: Turn | null = null;
  let drawn = 0;

  /** A timer that an asynchronous function sets has no parent. It is known by its delay. */
  const open = (delay: number, frame = false): Timer => {
    const last = turn === null ? lastTurns.get(delay) : undefined;
    const again = last !== undefined && last.changes === changes();
    return { due: now() + delay, delay, parent: turn, fruitless: again ? last.fruitless + 1 : 0, frame };
  };
  const countFruitless = ({ parent, fruitless }: Timer) => {
    if (parent === null) return fruitless;
    return parent.changed ? 0 : parent.fruitless + 1;
  };
  const run = (timer: Timer, work: () => unknown): unknown => {
    const outer = turn;
    const before = changes();
    const mine = { fruitless: countFruitless(timer), changed: false };
    turn = mine;
    if (timer.frame) drawn += 1;
    try {
      return work();
    } finally {
      turn = outer;
      flush();
      mine.changed = changes() > before;
      const fruitless = mine.changed ? 0 : mine.fruitless;
      lastTurns.set(timer.delay, { changes: changes(), fruitless });
      Object.assign(timer, { due: now() + timer.delay, parent: mine });
    }
  };
  const delayFrom = (value: unknown) => Math.max(0, Number(value) || 0);

  /** `kind` keeps the numbers of timers, frames and idle callbacks apart. */
  const start =
    (kind: string, delayed: (args: unknown[]) => Timer, repeats = false): Call =>
    (original, self, args) => {
      const [work] = args;
      if (typeof work !== 'function') return Reflect.apply(original, self, args);
      const timer = delayed(args);
      let key = '';
      function tick(this: unknown, ...values: unknown[]): unknown {
        if (!repeats) timers.delete(key);
        return run(timer, () => Reflect.apply(Object(work), this, values));
      }
      const id = Reflect.apply(original, self, [tick, ...args.slice(1)]);
      key = `${kind} ${String(id)}`;
      timers.set(key, timer);
      return id;
    };
  const stop =
    (kind: string): Call =>
    (original, self, args) => {
      timers.delete(`${kind} ${String(args[0])}`);
      return Reflect.apply(original, self, args);
    };
  const afterDelay = ([, delay]: unknown[]) => open(delayFrom(delay));
  wrap(globalThis, 'setTimeout', start('timer', afterDelay));
  wrap(globalThis, 'setInterval', start('timer', afterDelay, true));
  wrap(
    globalThis,
    'requestIdleCallback',
    start('idle', () => open(50)),
  );
  wrap(
    globalThis,
    'requestAnimationFrame',
    start('frame', () => open(16, true)),
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
      timers.set(key, open(delayFrom(delay)));
      const task = Promise.resolve(Reflect.apply(original, self, args));
      return task.finally(() => timers.delete(key));
    });
  }

  wrap(AbortSignal, 'timeout', (original, self, args) => {
    const key = {};
    timers.set(key, open(delayFrom(args[0])));
    const signal = Reflect.apply(original, self, args);
    if (signal instanceof AbortSignal) signal.addEventListener('abort', () => timers.delete(key), { once: true });
    return signal;
  });

  return (limit) => {
    const work = { due: 0, moves: false, live: false, frames: false, drawn };
    for (const timer of timers.values()) {
      const left = timer.due - now();
      if (left > limit) {
        if (timer.parent?.changed === true && timer.delay <= SLOWEST_MS) work.moves = true;
        continue;
      }
      const holds = countFruitless(timer) <= PATIENT_TURNS;
      if (holds) work.due = Math.max(work.due, left, 1);
      else work.live = true;
      if (timer.frame && !holds) work.frames = true;
    }
    return work;
  };
}

/** A stream or worker that has not said anything yet. After some time it is not waited for. */
export function watchStreams({ now }: Watch): () => boolean {
  const SILENT_MS = 3000;
  let streams: { since: number }[] = [];
  for (const name of ['EventSource', 'WebSocket', 'Worker', 'SharedWorker']) {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
    const original: unknown = descriptor?.value;
    if (typeof original !== 'function') continue;
    const construct = (target: object, args: unknown[], newTarget: object): object => {
      const opened: unknown = Reflect.construct(Object(target), args, Object(newTarget));
      if (!(opened instanceof EventTarget)) throw new TypeError('Illegal constructor');
      const stream = { since: now() };
      streams.push(stream);
      const heard = () => {
        streams = streams.filter((each) => each !== stream);
      };
      const port: unknown = Reflect.get(opened, 'port');
      for (const event of ['message', 'error', 'close']) {
        opened.addEventListener(event, heard, { once: true });
        if (port instanceof MessagePort) port.addEventListener(event, heard, { once: true });
      }
      return opened;
    };
    Object.defineProperty(globalThis, name, { ...descriptor, value: new Proxy(original, { construct }) });
  }
  return () => streams.some(({ since }) => now() - since < SILENT_MS);
}

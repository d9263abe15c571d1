import { STOPPED_AT } from '../stop-clock.ts';

/*
 * Stops the clock of workers, too: Playwright's clock does not reach them, but they may draw without end. Functions are
 * passed as source text, so each may only use its arguments.
 */

/** In the worker: timers and frames run in their order, at once and up to a limit, and then no more. */
function runWorkerClock(base: string, start: number, limit: number): void {
  type Task = { due: number; every: number; work: (...values: unknown[]) => unknown; values: unknown[] };
  const FRAME_MS = 16;
  const { port1, port2 } = new MessageChannel();
  const tasks = new Map<number, Task>();
  let [now, count, running] = [0, 0, false];
  const wake = () => {
    if (running) return;
    running = true;
    port2.postMessage(null);
  };
  port1.start();
  port1.addEventListener('message', () => {
    running = false;
    const [first] = [...tasks].toSorted(([id, { due }], [otherId, other]) => due - other.due || id - otherId);
    if (first === undefined || first[1].due > limit) return;
    const [id, task] = first;
    now = Math.max(now, task.due);
    if (task.every > 0) task.due = now + task.every;
    else tasks.delete(id);
    wake();
    task.work(...task.values);
  });
  const add = (delay: number, work: unknown, values: unknown[], every = 0) => {
    count += 1;
    if (typeof work === 'function') {
      tasks.set(count, { due: now + delay, every, work: (...given) => Reflect.apply(work, self, given), values });
    }
    wake();
    return count;
  };
  const delayFrom = (value: unknown) => Math.max(1, Number(value) || 0);
  const remove = (id: number) => {
    tasks.delete(id);
  };
  const fetchAsBefore = self.fetch.bind(self);
  Object.assign(self, {
    setTimeout: (work: unknown, delay?: unknown, ...values: unknown[]) => add(delayFrom(delay), work, values),
    setInterval: (work: unknown, delay?: unknown, ...values: unknown[]) =>
      add(delayFrom(delay), work, values, delayFrom(delay)),
    requestAnimationFrame: (work: unknown) => add(FRAME_MS, work, [now + FRAME_MS]),
    clearTimeout: remove,
    clearInterval: remove,
    cancelAnimationFrame: remove,
    // The worker was started from a copy, against whose address nothing can be resolved.
    fetch: async (input: Request | string | URL, init?: RequestInit) =>
      fetchAsBefore(input instanceof Request ? input : new URL(input, base), init),
  });
  performance.now = () => now;
  Date.now = () => start + now;
}

/** In the page: classic workers start with that clock. Modules and workers of other origins are left alone. */
function clockWorkers(prelude: string, start: number, limit: number): void {
  const construct = (target: typeof Worker, args: unknown[], newTarget: object): object => {
    const [address, options] = args;
    const isModule = typeof options === 'object' && options !== null && Reflect.get(options, 'type') === 'module';
    const url = new URL(String(address), document.baseURI);
    if (isModule || url.origin !== location.origin) return Reflect.construct(target, args, Object(newTarget));
    const source = `(${prelude})(${JSON.stringify(url.href)}, ${start}, ${limit});\nimportScripts(${JSON.stringify(url.href)});`;
    const copy = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    return Reflect.construct(target, [copy, options], Object(newTarget));
  };
  Object.defineProperty(globalThis, 'Worker', {
    value: new Proxy(Worker, { construct }),
    configurable: true,
    writable: true,
  });
}

/** `limit`: how far the clock of a worker runs before it stands still, ms. */
export function workerClockScript(limit: number): string {
  return `(${String(clockWorkers)})(${JSON.stringify(String(runWorkerClock))}, ${STOPPED_AT}, ${limit})`;
}

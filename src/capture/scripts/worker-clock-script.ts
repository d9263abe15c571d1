/*
 * Stops the clock of workers, too: Playwright's clock does not reach them, but they may draw without end. Functions are
 * passed as source text, so each may only use its arguments.
 */

const KEY = 'pixelgate.workers';
/** The longest wait for workers that have much to draw, ms. */
const DONE_MS = 4000;

/** In the worker: timers and frames run in their order, at once and up to a limit, and then no more. */
function runWorkerClock(base: string, start: number, limit: number, key: string): void {
  type Task = { due: number; every: number; work: (...values: unknown[]) => unknown; values: unknown[] };
  const FRAME_MS = 16;
  const { port1, port2 } = new MessageChannel();
  const tasks = new Map<number, Task>();
  const asked: MessagePort[] = [];
  let [now, count, running] = [0, 0, false];
  const wake = () => {
    if (running) return;
    running = true;
    port2.postMessage(null);
  };
  port1.start();
  port1.addEventListener('message', () => {
    running = false;
    const [[id, task] = [0]] = [...tasks].toSorted(([one, { due }], [two, other]) => due - other.due || one - two);
    if (task === undefined || task.due > limit) {
      for (const port of asked.splice(0)) port.postMessage(null);
      return;
    }
    now = Math.max(now, task.due);
    if (task.every > 0) task.due = now + task.every;
    else tasks.delete(id);
    wake();
    task.work(...task.values);
  });
  self.addEventListener('message', (event) => {
    if (event.data !== key) return;
    event.stopImmediatePropagation();
    asked.push(...event.ports);
    wake();
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
    // The worker was started from a copy, and relative addresses can't be resolved against that copy's.
    fetch: async (input: Request | string | URL, init?: RequestInit) =>
      fetchAsBefore(input instanceof Request ? input : new URL(input, base), init),
  });
  performance.now = () => now;
  Date.now = () => start + now;
}

/** In the page: classic workers start with that clock. Modules and workers of other origins are left alone. */
function clockWorkers(prelude: string, start: number, limit: number, key: string, bound: number): void {
  // The browser's own timers: a stopped clock stops the others.
  const wait = setTimeout.bind(globalThis);
  const post: (message: unknown, ports: Transferable[]) => void = Reflect.get(Worker.prototype, 'postMessage');
  const terminate: () => void = Reflect.get(Worker.prototype, 'terminate');
  const workers = new Set<Worker>();
  const construct = (target: typeof Worker, args: unknown[], newTarget: object): object => {
    const [address, options] = args;
    const isModule = typeof options === 'object' && options !== null && Reflect.get(options, 'type') === 'module';
    const url = new URL(String(address), document.baseURI);
    if (isModule || url.origin !== location.origin) return Reflect.construct(target, args, Object(newTarget));
    const source = `(${prelude})(${JSON.stringify(url.href)}, ${start}, ${limit}, ${JSON.stringify(key)});\nimportScripts(${JSON.stringify(url.href)});`;
    const copy = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker: Worker = Reflect.construct(target, [copy, options], Object(newTarget));
    workers.add(worker);
    return worker;
  };
  Object.defineProperty(globalThis, 'Worker', {
    value: new Proxy(Worker, { construct }),
    configurable: true,
    writable: true,
  });
  Worker.prototype.terminate = function end(this: Worker) {
    workers.delete(this);
    Reflect.apply(terminate, this, []);
  };
  const ask = async (worker: Worker) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', resolve);
      port1.start();
      Reflect.apply(post, worker, [key, [port2]]);
    });
  const value = async () => {
    const late = new Promise((resolve) => wait(resolve, bound));
    await Promise.race([Promise.all(Array.from(workers, ask)), late]);
  };
  Object.defineProperty(globalThis, Symbol.for(key), { value });
}

/** Resolves when the clocks of the workers stand still: on a busy machine they are late. */
export const WORKERS_STAND = `globalThis[Symbol.for(${JSON.stringify(KEY)})]?.()`;

/**
 * For pages whose clock is stopped, before every script that watches timers. `limit`: how far the clock of a worker runs
 * before it stands still, ms.
 */
export function workerClockScript(start: number, limit: number): string {
  return `(${String(clockWorkers)})(${JSON.stringify(String(runWorkerClock))}, ${start}, ${limit}, ${JSON.stringify(KEY)}, ${DONE_MS})`;
}

import type { Call, Watch } from './watch-script.ts';

export type Streams = {
  /** Whether something is still expected from one of them. */
  areSilent: () => boolean;
  /** Whether the page has registered a service worker. */
  haveServiceWorker: () => boolean;
};

/** @returns whether the page has registered a service worker. `begin`: one that is not active yet is waited for. */
export function watchRegistrations(wrap: Watch['wrap'], begin: () => () => void): () => boolean {
  let registers = false;
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
  return () => registers;
}

/**
 * A stream or worker that has not said anything yet or since it was asked, or a service worker that is not active yet.
 * After some time it is not waited for.
 */
export function watchStreams({ now, wrap }: Watch): Streams {
  const SILENT_MS = 3000;
  let streams: { since: number }[] = [];
  /** What to do when a stream or worker is asked. */
  const asks = new WeakMap<object, () => void>();
  /** @returns a function to call when it is no longer waited for. */
  const begin = () => {
    const stream = { since: now() };
    streams.push(stream);
    return () => {
      streams = streams.filter((each) => each !== stream);
    };
  };
  const haveServiceWorker = watchRegistrations(wrap, begin);
  for (const name of ['EventSource', 'WebSocket', 'Worker', 'SharedWorker']) {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
    const original: unknown = descriptor?.value;
    if (typeof original !== 'function') continue;
    const construct = (target: object, args: unknown[], newTarget: object): object => {
      const opened: unknown = Reflect.construct(Object(target), args, Object(newTarget));
      if (!(opened instanceof EventTarget)) throw new TypeError('Illegal constructor');
      let heard: (() => void) | null = begin();
      const answered = () => {
        heard?.();
        heard = null;
      };
      // One that never answers is not waited for again.
      asks.set(opened, () => (heard ??= begin()));
      const port: unknown = Reflect.get(opened, 'port');
      for (const event of ['message', 'error', 'close']) {
        opened.addEventListener(event, answered);
        if (port instanceof MessagePort) port.addEventListener(event, answered);
      }
      return opened;
    };
    Object.defineProperty(globalThis, name, { ...descriptor, value: new Proxy(original, { construct }) });
  }
  const ask: Call = (original, self, args) => {
    asks.get(Object(self))?.();
    return Reflect.apply(original, self, args);
  };
  wrap(WebSocket.prototype, 'send', ask);
  wrap(Worker.prototype, 'postMessage', ask);
  return {
    areSilent: () => streams.some(({ since }) => now() - since < SILENT_MS),
    haveServiceWorker,
  };
}

import type { Call, Watch } from './watch-script.ts';

export type Streams = {
  /** Whether something is still expected from one of them, or from background work. */
  areSilent: () => boolean;
  /** Whether a stream or worker has been opened, asked or heard lately. It may have more to say. */
  maySpeak: () => boolean;
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

/** What the browser does for a page outside of the page's thread. No timer or request says that it goes on. */
export function watchBackgroundWork(wrap: Watch['wrap'], begin: () => () => void): void {
  const NativePromise = Promise;
  const untilSettled: Call = (original, self, args) => {
    const result = Reflect.apply(original, self, args);
    if (result instanceof NativePromise) {
      const end = begin();
      result.then(end, end);
    }
    return result;
  };
  const stores = ['CacheStorage', 'Cache', 'StorageManager', 'FileSystemDirectoryHandle', 'FileSystemFileHandle'];
  for (const name of [...stores, 'FileSystemWritableFileStream', 'SubtleCrypto', 'Blob', 'Response']) {
    const owner: unknown = Reflect.get(globalThis, name);
    if (typeof owner !== 'function') continue;
    const { prototype } = Object(owner);
    for (const method of Object.getOwnPropertyNames(prototype)) {
      if (method !== 'constructor') wrap(prototype, method, untilSettled);
    }
  }
  for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']) {
    wrap(WebAssembly, name, untilSettled);
  }
  wrap(globalThis, 'createImageBitmap', untilSettled);
  wrap(HTMLImageElement.prototype, 'decode', untilSettled);
  wrap(OffscreenCanvas.prototype, 'convertToBlob', untilSettled);
  const until =
    (...events: string[]): Call =>
    (original, self, args) => {
      const result = Reflect.apply(original, self, args);
      const target = result ?? self;
      const end = begin();
      if (target instanceof EventTarget) for (const event of events) target.addEventListener(event, end);
      return result;
    };
  for (const name of ['open', 'deleteDatabase']) wrap(IDBFactory.prototype, name, until('success', 'error'));
  wrap(IDBDatabase.prototype, 'transaction', until('complete', 'abort'));
  for (const name of ['readAsArrayBuffer', 'readAsDataURL', 'readAsText']) {
    wrap(FileReader.prototype, name, until('loadend'));
  }
}

/**
 * A stream or worker that has not said anything yet or since it was asked, a service worker that is not active yet, or
 * background work. After some time it is not waited for.
 */
export function watchStreams({ now, wrap }: Watch): Streams {
  const SILENT_MS = 3000;
  let streams: { since: number }[] = [];
  let active = -SILENT_MS;
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
  watchBackgroundWork(wrap, begin);
  for (const name of ['EventSource', 'WebSocket', 'Worker', 'SharedWorker']) {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
    const original: unknown = descriptor?.value;
    if (typeof original !== 'function') continue;
    const construct = (target: object, args: unknown[], newTarget: object): object => {
      const opened: unknown = Reflect.construct(Object(target), args, Object(newTarget));
      if (!(opened instanceof EventTarget)) throw new TypeError('Illegal constructor');
      let heard: (() => void) | null = begin();
      active = now();
      const answered = () => {
        active = now();
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
    maySpeak: () => now() - active < SILENT_MS,
    haveServiceWorker,
  };
}

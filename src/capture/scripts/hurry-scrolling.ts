import { followViews } from './views-script.ts';
import { wrapDate, type Watch } from './watch-script.ts';

/** Changes what each observer of what comes into view calls. */
export function wrapObservers(change: (callback: unknown) => unknown): void {
  const construct = (
    target: typeof IntersectionObserver,
    [callback, ...options]: unknown[],
    newTarget: object,
  ): object =>
    Reflect.construct(
      target,
      [typeof callback === 'function' ? change(callback) : callback, ...options],
      Object(newTarget),
    );
  const value = new Proxy(IntersectionObserver, { construct });
  Object.defineProperty(globalThis, 'IntersectionObserver', { value, configurable: true, writable: true });
  Object.defineProperty(value.prototype, 'constructor', { value, configurable: true, writable: true });
}

/**
 * Handlers of scrolling are often slowed down, by a timer or by the date. So they would see little of a page that is
 * scrolled through, and a slow machine more of it than a quick one. Such a timer runs at once, and for the date, time
 * passes before it and before each event, as if somebody scrolled. The same goes for a frame that a handler has asked
 * for, and for an observer of what comes into view.
 * @returns changes a function that starts timers or frames
 */
export function hurryScrolling(): Watch['hurry'] {
  const SLOW_MS = 300;
  let passed = 0;
  let last: Event | null = null;
  /** The event for which a frame or an observer is running. */
  let framed: Event | null = null;
  const readEvent = Object.getOwnPropertyDescriptor(globalThis, 'event')?.get?.bind(globalThis);
  const readScroll = () => {
    const event: unknown = readEvent?.();
    return event instanceof Event && event.type === 'scroll' && event.target === document ? event : framed;
  };
  const runFor = (scroll: Event | null, work: unknown) =>
    function run(this: unknown, ...given: unknown[]): unknown {
      framed = scroll;
      try {
        return Reflect.apply(Object(work), this, given);
      } finally {
        framed = null;
      }
    };
  const readNow = Date.now.bind(Date);
  wrapDate(() => {
    const scroll = readScroll();
    if (scroll !== null && scroll !== last) {
      passed += SLOW_MS;
      last = scroll;
    }
    return readNow() + passed;
  });
  const follow = followViews();
  wrapObservers(
    (callback) =>
      function observed(this: unknown, ...given: unknown[]): unknown {
        const tell = (entries: unknown) =>
          runFor(scrollY === 0 ? null : new Event('scroll'), callback).apply(this, [entries, ...given.slice(1)]);
        follow(this, given[0], tell);
        return tell(given[0]);
      },
  );
  return (start) => (original, self, args) => {
    const [work, delay, ...values] = args;
    const scroll = readScroll();
    if (scroll === null || typeof work !== 'function') return start(original, self, args);
    if (Number(delay) > 0 && Number(delay) <= SLOW_MS) {
      function atOnce(this: unknown, ...given: unknown[]): unknown {
        passed += SLOW_MS;
        return Reflect.apply(Object(work), this, given);
      }
      return start(original, self, [atOnce, 0, ...values]);
    }
    if (delay !== undefined || framed !== null) return start(original, self, args);
    return start(original, self, [runFor(scroll, work), ...values]);
  };
}

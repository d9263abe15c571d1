import { wrapDate, type Watch } from './watch-script.ts';

/**
 * Handlers of scrolling are often slowed down, by a timer or by the date. So they would see little of a page that is scrolled
 * through, and a slow machine more of it than a quick one. Such a timer runs at once, and for the date, time passes before it
 * and before each event, as if somebody scrolled.
 * @returns changes a function that starts timers
 */
export function hurryScrolling(): Watch['hurry'] {
  const SLOW_MS = 300;
  let passed = 0;
  let last: Event | null = null;
  const readEvent = Object.getOwnPropertyDescriptor(globalThis, 'event')?.get?.bind(globalThis);
  const readScroll = () => {
    const event: unknown = readEvent?.();
    return event instanceof Event && event.type === 'scroll' && event.target === document ? event : null;
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
  return (start) => (original, self, args) => {
    const [work, delay, ...values] = args;
    const isSlow = Number(delay) > 0 && Number(delay) <= SLOW_MS && readScroll() !== null;
    if (!isSlow) return start(original, self, args);
    function hurried(this: unknown, ...given: unknown[]): unknown {
      passed += SLOW_MS;
      return Reflect.apply(Object(work), this, given);
    }
    return start(original, self, [typeof work === 'function' ? hurried : work, 0, ...values]);
  };
}

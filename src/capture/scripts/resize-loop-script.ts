/*
 * Elements may resize each other without end, one step per frame, and a stopped clock does not stop frames. The
 * function is passed as source text: it may use only what it is given.
 */

/** How often an observer is notified of new sizes. Pages that come to rest need a few notifications. */
const LIMIT = 24;
/** The number of frames without notification after which the sizes are stable, and the longest wait for them, ms. */
const QUIET_FRAMES = 2;
const FRAMES_MS = 4000;

const KEY = 'pixelgate.sizes';

function endResizeLoops(key: string, limit: number, quiet: number, bound: number): void {
  // The browser's own timers: a stopped clock stops the others, and watched ones count as the page's work.
  const frame = requestAnimationFrame.bind(globalThis);
  const wait = setTimeout.bind(globalThis);
  let news = 0;
  const construct = (target: typeof ResizeObserver, args: unknown[], newTarget: object): object => {
    const [tell, ...others] = args;
    if (typeof tell !== 'function') return Reflect.construct(target, args, Object(newTarget));
    let told = 0;
    function tellSome(this: unknown, ...values: unknown[]): void {
      told += 1;
      if (told > limit) return;
      news += 1;
      Reflect.apply(Object(tell), this, values);
    }
    return Reflect.construct(target, [tellSome, ...others], Object(newTarget));
  };
  Object.defineProperty(globalThis, 'ResizeObserver', {
    value: new Proxy(ResizeObserver, { construct }),
    configurable: true,
    writable: true,
  });
  const value = async () => {
    if (news === 0) return;
    // A page that isn't drawn has no frames.
    const end = new Promise<boolean>((resolve) => wait(() => resolve(true), bound));
    for (let still = 0; still < quiet;) {
      const seen = news;
      const next = new Promise<boolean>((resolve) => frame(() => resolve(false)));
      if (await Promise.race([next, end])) return;
      still = news === seen ? still + 1 : 0;
    }
  };
  Object.defineProperty(globalThis, Symbol.for(key), { value });
}

/**
 * For pages whose clock is stopped, before every other script: every load ends at the same step, once
 * {@link SIZES_STAND} has been awaited.
 */
export const RESIZE_LOOP_SCRIPT = `(${String(endResizeLoops)})(${JSON.stringify(KEY)}, ${LIMIT}, ${QUIET_FRAMES}, ${FRAMES_MS})`;

/** Resolves when no observer has been told of a new size for some frames: on a busy machine frames are late. */
export const SIZES_STAND = `globalThis[Symbol.for(${JSON.stringify(KEY)})]?.()`;

/*
 * Parts of a page that resize each other without end, a step with each frame: a stopped clock does not stop frames.
 * The function is passed as source text: it may use only what it is given.
 */

/** How often an observer is told of new sizes. A page that comes to rest needs a few. */
const LIMIT = 24;
/** Frames without news after which the sizes stand, how many are waited for at most, and for how long, ms. */
const QUIET_FRAMES = 2;
const MAX_FRAMES = 240;
const FRAMES_MS = 2000;

const KEY = 'pixelgate.sizes';

function endResizeLoops(key: string, limit: number, quiet: number, most: number, bound: number): void {
  // The browser's own: those of a stopped clock wait for it.
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
  const stand = async () => {
    let seen = news;
    for (let frames = 0, still = 0; still < quiet && frames < most; frames += 1) {
      await new Promise((resolve) => {
        frame(resolve);
      });
      still = news === seen ? still + 1 : 0;
      seen = news;
    }
  };
  const value = async () => {
    if (news === 0) return;
    // What isn't drawn has no frames.
    await Promise.race([stand(), new Promise((resolve) => wait(resolve, bound))]);
  };
  Object.defineProperty(globalThis, Symbol.for(key), { value });
}

/** For pages whose clock is stopped: every load ends at the same step, once {@link SIZES_STAND} has been awaited. */
export const RESIZE_LOOP_SCRIPT = `(${String(endResizeLoops)})(${JSON.stringify(KEY)}, ${LIMIT}, ${QUIET_FRAMES}, ${MAX_FRAMES}, ${FRAMES_MS})`;

/** Resolves when no observer has been told of a new size for some frames: on a busy machine frames are late. */
export const SIZES_STAND = `globalThis[Symbol.for(${JSON.stringify(KEY)})]?.()`;

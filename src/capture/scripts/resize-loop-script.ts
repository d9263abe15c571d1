/*
 * Parts of a page that resize each other without end, a step with each frame: a stopped clock does not stop frames.
 * The function is passed as source text: it may use only what it is given.
 */

/** How often an observer is told of new sizes. A page that comes to rest needs a few. */
const LIMIT = 24;

function endResizeLoops(limit: number): void {
  const construct = (target: typeof ResizeObserver, args: unknown[], newTarget: object): object => {
    const [tell, ...others] = args;
    if (typeof tell !== 'function') return Reflect.construct(target, args, Object(newTarget));
    let told = 0;
    function tellSome(this: unknown, ...values: unknown[]): void {
      told += 1;
      if (told <= limit) Reflect.apply(Object(tell), this, values);
    }
    return Reflect.construct(target, [tellSome, ...others], Object(newTarget));
  };
  Object.defineProperty(globalThis, 'ResizeObserver', {
    value: new Proxy(ResizeObserver, { construct }),
    configurable: true,
    writable: true,
  });
}

/** For pages whose clock is stopped: every load ends at the same step. */
export const RESIZE_LOOP_SCRIPT = `(${String(endResizeLoops)})(${LIMIT})`;

/*
 * Runs in the page's own world, in every frame, before the page's scripts. It records changes, and work that may still
 * lead to one. It saves the browser functions that it needs before the page can replace them. Functions are passed as
 * source text, so each may only use what PARTS in `rest-script.ts` lists.
 */

export type Call = (original: (...args: unknown[]) => unknown, self: unknown, args: unknown[]) => unknown;

/** The state that the parts of this script share. */
export type Watch = {
  /** Milliseconds. */
  now: () => number;
  /** Records a change that the observer does not see. */
  change: () => void;
  changes: () => number;
  changedAt: () => number;
  /** Counts the changes of the code that is running now. */
  flush: () => void;
  observe: (root: Node) => void;
  /** Replaces a method in a way that a page can hardly notice. */
  wrap: (owner: object, name: string, call: Call) => void;
  wrapAccessor: (owner: object, name: string, part: 'get' | 'set', call: Call) => void;
  /** Changes a function that starts timers, so that those that slow down the handlers of scrolling run at once. */
  hurry: (start: Call) => Call;
};

export function isCallable(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function';
}

export function wrapMethod(owner: object, name: string, call: Call): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  const original: unknown = descriptor?.value;
  if (!isCallable(original)) return;
  Object.defineProperty(owner, name, { ...descriptor, value: new Proxy(original, { apply: call }) });
}

export function wrapAccessor(owner: object, name: string, part: 'get' | 'set', call: Call): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  const original: unknown = Reflect.get(descriptor, part);
  if (!isCallable(original)) return;
  Object.defineProperty(owner, name, { ...descriptor, [part]: new Proxy(original, { apply: call }) });
}

/** Gives the page another time, in ms since 1970. */
export function wrapDate(now: () => number): void {
  const RealDate = Date;
  wrapMethod(RealDate, 'now', now);
  const construct = (target: DateConstructor, args: unknown[], newTarget: object): object =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, Object(newTarget));
  const value = new Proxy(RealDate, { construct, apply: () => new RealDate(now()).toString() });
  Object.defineProperty(globalThis, 'Date', { value, configurable: true, writable: true });
  Object.defineProperty(RealDate.prototype, 'constructor', { value, configurable: true, writable: true });
}

/** The observer starts once the document is parsed. Before that, each new element would be a record. */
export function startWatch(hurry: Watch['hurry']): Watch {
  const clock = performance;
  const now = clock.now.bind(clock);
  const seen = new WeakSet<Node>();
  const roots: Node[] = [document];
  let observing = false;
  let changes = 0;
  let changedAt = now();
  const change = () => {
    changes += 1;
    changedAt = now();
  };
  // The last is ours: see `mask-script.ts`.
  const shows = ({ nodeName }: Node) => !['SCRIPT', '#comment', 'PIXELGATE-MASK'].includes(nodeName);
  const read = (records: MutationRecord[]) => {
    const show = records.some(
      ({ type, addedNodes, removedNodes }) => type !== 'childList' || [...addedNodes, ...removedNodes].some(shows),
    );
    if (show) change();
  };
  const observer = new MutationObserver(read);
  const observe = (root: Node) => {
    if (!observing) roots.push(root);
    else if (!seen.has(root)) {
      seen.add(root);
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  };
  const start = () => {
    observing = true;
    for (const root of roots) observe(root);
    roots.length = 0;
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start, { once: true });
  else start();
  const flush = () => {
    const records = observer.takeRecords();
    if (records.length > 0) read(records);
  };
  return {
    now,
    change,
    changes: () => changes,
    changedAt: () => changedAt,
    flush,
    observe,
    wrap: wrapMethod,
    wrapAccessor,
    hurry,
  };
}

/** Changes of the page without changes of its tree: values of fields, rules of style sheets, drawing on a canvas. */
export function watchProperties({ change, wrap, wrapAccessor: wrapPart }: Watch): void {
  const note: Call = (original, self, args) => {
    change();
    return Reflect.apply(original, self, args);
  };
  for (const name of ['value', 'checked', 'indeterminate']) wrapPart(HTMLInputElement.prototype, name, 'set', note);
  for (const name of ['value', 'selectedIndex']) wrapPart(HTMLSelectElement.prototype, name, 'set', note);
  wrapPart(HTMLTextAreaElement.prototype, 'value', 'set', note);
  wrapPart(HTMLOptionElement.prototype, 'selected', 'set', note);
  const flat = ['clearRect', 'drawImage', 'fill', 'fillRect', 'fillText', 'putImageData', 'reset', 'stroke'];
  const draws = new Map<string, string[]>([
    ['CanvasRenderingContext2D', [...flat, 'strokeRect', 'strokeText']],
    ['OffscreenCanvasRenderingContext2D', [...flat, 'strokeRect', 'strokeText']],
    ['ImageBitmapRenderingContext', ['transferFromImageBitmap']],
    ['GPUQueue', ['submit']],
  ]);
  for (const [name, methods] of draws) {
    const context: unknown = Reflect.get(globalThis, name);
    if (typeof context === 'function') for (const method of methods) wrap(Object(context.prototype), method, note);
  }
  // WebGL is watched once it is used: naming its classes costs more than the rest of this script, in each document.
  const elements = ['drawElements', 'drawElementsInstanced', 'drawRangeElements'];
  const webgl = ['clear', 'drawArrays', 'drawArraysInstanced', 'blitFramebuffer', ...elements];
  const watched = new WeakSet<object>();
  for (const { prototype } of [HTMLCanvasElement, OffscreenCanvas]) {
    wrap(prototype, 'getContext', (original, self, args) => {
      const context = Reflect.apply(original, self, args);
      const [type] = args;
      if (context === null || typeof type !== 'string' || !type.includes('webgl')) return context;
      const owner = Object(Object.getPrototypeOf(context));
      if (!watched.has(owner)) for (const method of webgl) wrap(owner, method, note);
      watched.add(owner);
      return context;
    });
  }
  for (const name of ['insertRule', 'deleteRule', 'replace', 'replaceSync']) wrap(CSSStyleSheet.prototype, name, note);
}

/** Opens closed shadow roots for our own world. The page still sees them closed. */
export function openRoots({ observe, wrap, wrapAccessor: wrapPart }: Watch): void {
  const closed = new WeakSet<object>();
  wrap(Element.prototype, 'attachShadow', (original, self, args) => {
    const [init] = args;
    const closes = typeof init === 'object' && init !== null && Reflect.get(init, 'mode') === 'closed';
    const root = Reflect.apply(original, self, closes ? [{ ...init, mode: 'open' }] : args);
    if (root instanceof ShadowRoot) {
      if (closes) closed.add(root);
      observe(root);
    }
    return root;
  });
  const isClosed = (value: unknown) => typeof value === 'object' && value !== null && closed.has(value);
  wrapPart(Element.prototype, 'shadowRoot', 'get', (original, self, args) => {
    const root = Reflect.apply(original, self, args);
    return isClosed(root) ? null : root;
  });
  wrapPart(ShadowRoot.prototype, 'mode', 'get', (original, self, args) =>
    isClosed(self) ? 'closed' : Reflect.apply(original, self, args),
  );
}

/**
 * Scrolls jump to their end at once, and are recorded if they move something. The event would come too late to tell
 * which timer caused it.
 */
export function endSmoothScrolls({ change, wrap, wrapAccessor: wrapPart }: Watch): void {
  const behavior = 'instant';
  const placeOf = (self: unknown) => {
    if (!(self instanceof Element)) return `${scrollX} ${scrollY}`;
    const { left, top } = self.getBoundingClientRect();
    return [self.scrollLeft, self.scrollTop, left, top].join(' ');
  };
  const noting =
    (scroll: Call): Call =>
    (original, self, args) => {
      const before = placeOf(self);
      const result = scroll(original, self, args);
      if (placeOf(self) !== before) change();
      return result;
    };
  const jump: Call = (original, self, args) => {
    const [first, second] = args;
    if (args.length === 0) return Reflect.apply(original, self, args);
    const options = args.length === 1 ? first : { left: first, top: second };
    return Reflect.apply(original, self, typeof options === 'object' ? [{ ...options, behavior }] : args);
  };
  for (const owner of [globalThis, Element.prototype]) {
    for (const name of ['scroll', 'scrollTo', 'scrollBy']) wrap(owner, name, noting(jump));
  }
  const jumpIntoView: Call = (original, self, [where]) => {
    const options = typeof where === 'object' ? where : { block: where === false ? 'end' : 'start', inline: 'nearest' };
    return Reflect.apply(original, self, [{ ...options, behavior }]);
  };
  wrap(Element.prototype, 'scrollIntoView', noting(jumpIntoView));
  // The wrapped function from above, which records what it moves.
  const move: unknown = Reflect.get(Element.prototype, 'scrollTo');
  if (!isCallable(move)) return;
  const put =
    (side: 'top' | 'left'): Call =>
    (_original, self, [value]) =>
      Reflect.apply(move, self, [{ [side]: Number(value), behavior }]);
  wrapPart(Element.prototype, 'scrollTop', 'set', put('top'));
  wrapPart(Element.prototype, 'scrollLeft', 'set', put('left'));
}

/**
 * A screenshot of more than the window resizes it, and each frame, for a moment: they and their media queries hear of it,
 * and see the same size. On a busy machine they hear of it in between, when the window has one pixel and only the screen
 * has the size that is emulated.
 */
export function hideResizes({ wrap }: Watch): void {
  const isBetween = () => window === top && (innerWidth !== screen.width || innerHeight !== screen.height);
  const hide = (target: EventTarget | null, type: string, read: () => string) => {
    let last = read();
    const stop = (event: Event) => {
      const size = isBetween() ? last : read();
      if (event.isTrusted && size === last) event.stopImmediatePropagation();
      last = size;
    };
    target?.addEventListener(type, stop, { capture: true });
  };
  hide(window, 'resize', () => `${innerWidth} ${innerHeight}`);
  hide(visualViewport, 'resize', () => `${visualViewport?.width} ${visualViewport?.height}`);
  const Query = MediaQueryList;
  wrap(globalThis, 'matchMedia', (original, self, args) => {
    const query = Reflect.apply(original, self, args);
    if (query instanceof Query) hide(query, 'change', () => String(query.matches));
    return query;
  });
}

/** Text gets its font however late that arrives. The page may forbid it, and then a few milliseconds would decide. */
export function showLateFonts(): void {
  document.fonts.addEventListener('loading', () => {
    for (const font of document.fonts) if (font.status === 'loading') font.display = 'swap';
  });
}

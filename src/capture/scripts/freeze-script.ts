import { holdSvgEnds } from './svg-ends-script.ts';

/*
 * Functions that hold a page still, in our isolated world. Functions are passed as source text: each may use only what
 * PARTS in `page-script.ts` lists.
 */

/**
 * The document and every shadow root below it. Closed ones were opened before the page's scripts ran, or come from
 * `reach-closed-roots.ts`.
 */
export function treeRoots(): (Document | ShadowRoot)[] {
  const world: typeof globalThis & { pixelgateClosed?: Set<ShadowRoot> } = globalThis;
  const closed = [...(world.pixelgateClosed ?? [])].filter((root) => root.isConnected);
  const roots: (Document | ShadowRoot)[] = [document, ...closed];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot !== null) roots.push(element.shadowRoot);
    }
  }
  return roots;
}

/** What is displayed of the elements that match. */
export function shownElements<T extends Element>(roots: (Document | ShadowRoot)[], selector: string): T[] {
  const found = roots.flatMap((root) => [...root.querySelectorAll<T>(selector)]);
  return found.filter((element) => element.getClientRects().length > 0);
}

/**
 * Ends one animation: at its end, or at its start if it is endless. View-driven ones are set to where their element is in
 * the middle of the window. If a page keeps starting the next animation, it no longer gets the end event.
 * @param counted the elements whose animations have been ended in this round
 * @returns whether the page may start another one
 */
export function endAnimation(animation: Animation, counted: Set<Element>): boolean {
  const PATIENT_ENDS = 8;
  const world: typeof globalThis & { pixelgateEnds?: WeakMap<object, number> } = globalThis;
  const { effect, timeline, startTime } = animation;
  const target = effect instanceof KeyframeEffect ? effect.target : null;
  // It starts at the beginning of its range. Once it is paused, it has no such time.
  if (timeline instanceof ViewTimeline && startTime instanceof CSSUnitValue) {
    animation.pause();
    animation.currentTime = CSS.percent(50 - startTime.value);
  }
  // Other scroll-driven ones stand still while nobody scrolls.
  if (!(timeline instanceof DocumentTimeline) || animation.playbackRate === 0 || animation.playState === 'finished')
    return false;
  // One that never began stands where the page has put it, such as halfway by a negative delay.
  if (animation.playState === 'paused' && animation.currentTime === 0) return false;
  const end = effect?.getComputedTiming().endTime;
  if (typeof end !== 'number' || !Number.isFinite(end)) {
    animation.cancel();
    return true;
  }
  world.pixelgateEnds ??= new WeakMap();
  if (target !== null && !counted.has(target)) {
    counted.add(target);
    world.pixelgateEnds.set(target, (world.pixelgateEnds.get(target) ?? 0) + 1);
  }
  const ends = target === null ? 0 : (world.pixelgateEnds.get(target) ?? 0);
  if (ends <= PATIENT_ENDS) {
    animation.finish();
    return true;
  }
  const fill = effect?.getComputedTiming().fill;
  if (fill === 'both' || fill === (animation.playbackRate > 0 ? 'forwards' : 'backwards')) {
    animation.pause();
    animation.currentTime = animation.playbackRate > 0 ? end : 0;
  } else {
    animation.cancel();
  }
  return false;
}

/**
 * Ends motion: animations and transitions are ended, SVG is set to a fixed time, view transitions are skipped.
 * `pixelgateMoved` records that there was any. @returns whether a running animation was ended
 */
export function freeze(roots: (Document | ShadowRoot)[]): boolean {
  const world: typeof globalThis & { pixelgateMoved?: boolean } = globalThis;
  const running: unknown = Reflect.get(document, 'activeViewTransition');
  if (typeof running === 'object' && running !== null && 'skipTransition' in running) {
    const { skipTransition } = running;
    if (typeof skipTransition === 'function') skipTransition.call(running);
  }
  const animations = roots.flatMap((root) => root.getAnimations());
  const counted = new Set<Element>();
  const ended = animations.filter((animation) => endAnimation(animation, counted)).length > 0;
  if (animations.length > 0) world.pixelgateMoved = true;
  for (const root of roots) {
    for (const svg of root.querySelectorAll('svg')) {
      if (svg.querySelector('animate, animateTransform, animateMotion, set') === null) continue;
      world.pixelgateMoved = true;
      svg.pauseAnimations();
      svg.setCurrentTime(3600);
      holdSvgEnds(svg);
    }
  }
  return ended;
}

/**
 * On a busy machine a frame may take a second. A page that is never drawn gets none; then the timer resolves with
 * false.
 */
export async function nextFrame(): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), 3000);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/**
 * A content security policy does not block a constructed style sheet, and it comes after the page's own. An empty one is
 * left out, because the browser would compute the styles of the whole page again.
 */
export function injectCss(roots: (Document | ShadowRoot)[], css: string): void {
  const world: typeof globalThis & { pixelgateSheet?: CSSStyleSheet; pixelgateCss?: string } = globalThis;
  if (css === '') return;
  const sheet = (world.pixelgateSheet ??= new CSSStyleSheet());
  if (world.pixelgateCss !== css) sheet.replaceSync(css);
  world.pixelgateCss = css;
  for (const root of roots) {
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  }
}

/** Whether the page may have a caret, a selection, a smooth scroll, or parts of the browser's own that move. */
export function mayBlink(roots: (Document | ShadowRoot)[]): boolean {
  const SHOWS = 'script, iframe, frame, object, embed, progress, meter, details, input, textarea, [autofocus]';
  const { activeElement, body } = document;
  const isFocused = activeElement !== null && activeElement !== body && activeElement !== document.documentElement;
  return isFocused || getSelection()?.type === 'Range' || roots.some((root) => root.querySelector(SHOWS) !== null);
}

/** False if `ms` passed first. `work` must not reject. */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer = 0;
  const late = new Promise<boolean>((resolve) => {
    timer = window.setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}

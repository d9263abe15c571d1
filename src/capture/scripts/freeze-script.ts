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
 * Resolves when the first frame of a video is drawn, which may be long after it is loaded on a busy machine. Far from
 * the viewport it may not be drawn at all.
 */
export async function drawFirstFrame(video: HTMLVideoElement): Promise<void> {
  const FIRST_FRAME_S = 0.1;
  return new Promise((resolve) => {
    const check: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      if (mediaTime < FIRST_FRAME_S) resolve();
      else video.requestVideoFrameCallback(check);
    };
    video.requestVideoFrameCallback(check);
  });
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
 * While a video loads, a ring turns in its controls, and then to the end of its turn. No script can see or end it, and
 * it begins again if the video is hidden meanwhile.
 */
export async function awaitRing(video: HTMLVideoElement): Promise<void> {
  const TURN_MS = 1333;
  const world: typeof globalThis & { pixelgateRings?: WeakMap<object, string> } = globalThis;
  const ended = (world.pixelgateRings ??= new WeakMap());
  const isShown = video.controls && video.offsetWidth > 0;
  if (!isShown || video.readyState === 0 || ended.get(video) === video.currentSrc) return;
  await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  for (let frame = 0; frame < 2; frame += 1) await nextFrame();
  ended.set(video, video.currentSrc);
}

/**
 * Has the browser lay out the controls of a small video again. It leaves out those that don't fit by the sizes that they
 * happen to have at that moment: by those of the video before it was loaded, now and then. An animation hides the video
 * meanwhile, because an attribute would change the page.
 */
export async function layOutControls(video: HTMLVideoElement): Promise<void> {
  // Of a video that is not loaded, px. All controls fit there.
  const [WIDTH, HEIGHT] = [300, 150];
  const { offsetWidth, offsetHeight } = video;
  if (!video.controls || offsetWidth === 0 || (offsetWidth >= WIDTH && offsetHeight >= HEIGHT)) return;
  const hidden = video.animate({ display: ['none', 'none'] }, { duration: 1, fill: 'both' });
  hidden.pause();
  for (let frame = 0; frame < 2; frame += 1) await nextFrame();
  hidden.cancel();
  for (let frame = 0; frame < 2; frame += 1) await nextFrame();
}

/**
 * Rewinds video and audio. Streams of a camera or a canvas can't be rewound, so they are hidden, with an animation,
 * because an attribute would change the page.
 * @param loads wait for the files that are loading
 * @returns how many videos show the ring of `awaitRing` without end, because nothing of their file arrives
 */
export async function stillMedia(roots: (Document | ShadowRoot)[], bound: number, loads: boolean): Promise<number> {
  const PART_MS = 1000;
  const media = roots.flatMap((root) => [...root.querySelectorAll<HTMLMediaElement>('video, audio')]);
  const rewind = async (element: HTMLMediaElement) => {
    if (!element.paused) element.pause();
    if (element.getAttribute('loading') === 'lazy') {
      element.setAttribute('loading', 'eager');
      // It does not begin to load at once.
      await nextFrame();
    }
    if (element.srcObject !== null) {
      const hidden = element.animate({ visibility: ['hidden', 'hidden'] }, { duration: 1, fill: 'both' });
      hidden.pause();
      return;
    }
    const until = async (event: string) =>
      new Promise((resolve) => {
        for (const name of [event, 'error', 'abort']) element.addEventListener(name, resolve, { once: true });
      });
    // For a file of unknown length, the controls show a bar once its end has been read.
    const awaitEnd = async () => {
      if (!element.controls || element.duration !== Infinity) return;
      await settlesWithin(until('durationchange'), PART_MS);
    };
    const isLoading = element.networkState === HTMLMediaElement.NETWORK_LOADING && element.readyState < 2;
    const awaitsData = isLoading && element.preload !== 'none';
    if (!awaitsData && element.currentTime === 0) {
      await awaitEnd();
      return;
    }
    const drawn = element instanceof HTMLVideoElement ? drawFirstFrame(element) : Promise.resolve();
    if (awaitsData && loads) await until('loadeddata');
    if (element.readyState < 1) return;
    await awaitEnd();
    if (element.currentTime !== 0) {
      const seeked = until('seeked');
      element.currentTime = 0;
      await seeked;
    }
    await settlesWithin(drawn, PART_MS);
  };
  const still = async (element: HTMLMediaElement) => {
    await rewind(element);
    if (!(element instanceof HTMLVideoElement)) return;
    await awaitRing(element);
    await layOutControls(element);
  };
  if (media.length > 0) await settlesWithin(Promise.allSettled(media.map(still)), bound);
  return shownElements<HTMLVideoElement>(roots, 'video[controls]').filter(
    ({ networkState, readyState }) => networkState === HTMLMediaElement.NETWORK_LOADING && readyState === 0,
  ).length;
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

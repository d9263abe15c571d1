import { z } from 'zod';
import {
  endAnimation,
  freeze,
  injectCss,
  mayBlink,
  nextFrame,
  settlesWithin,
  shownElements,
  treeRoots,
} from './freeze-script.ts';
import { heightBelow, openBody, pageSize } from './page-size-script.ts';
import { OWN_LISTENER } from './rest-script.ts';
import { awaitShownImages, scrollThrough } from './scroll-script.ts';
import { hasTakenTurns, noteShown, showAgain } from './shown-script.ts';
import { drawSkippedContent, loadLazy, mayFixPseudo, redrawLayers } from './skipped-content-script.ts';
import { awaitRing, countMoving, drawFirstFrame, layOutControls, Moving, stillMedia } from './still-media-script.ts';
import { SVG_ENDS } from './svg-ends-script.ts';

/*
 * Runs inside the page, in our isolated world, so a site that replaces `setTimeout`, `Promise` or
 * `requestAnimationFrame` does not affect it. The functions are sent as source text, so each may only use what PARTS
 * lists.
 */

export type PreparePage = {
  /** Scroll through the whole page before anything else. */
  scroll: boolean;
  /** Wait for images, including lazy ones, and for media. */
  images: boolean;
  /** Text of a style sheet for the document and its shadow roots. */
  css: string;
  /** The same, for pages that may have a caret, a selection or the like. It comes first. */
  stillCss: string;
  /** In px. Anything below this is not captured. */
  maxHeight: number;
  /** The longest that scrolling may take, in milliseconds. */
  scrollBound: number;
  /** The same for images and media, each. */
  bound: number;
  /** The same for fonts. */
  fontBound: number;
  /** How long to wait for the height to stop changing, in milliseconds. */
  holdBound: number;
};

/** The result from the page. */
export const PreparedPage = z.object({
  title: z.string(),
  /** HTTP status of the document that is shown now. 0 if it is unknown. */
  status: z.number(),
  /** Of the whole page, in px. */
  width: z.number(),
  height: z.number(),
  /** The height down to which the page has been scrolled through; without scrolling, the height at the beginning. */
  seenHeight: z.number(),
  scrolledThrough: z.boolean(),
  imagesMissing: z.number(),
  /** Families of fonts that did not arrive in time. */
  fontsMissing: z.array(z.string()),
  heightHeld: z.boolean(),
  /** How much an element that scrolls instead of the page has below its edge, px. */
  heightBelow: z.number(),
  ...Moving.shape,
  /** The document has elements that run scripts or show other documents. */
  scripted: z.boolean(),
});
export type PreparedPage = z.infer<typeof PreparedPage>;

/** How many visible images did not load in time. A broken image counts as loaded. */
async function awaitImages(roots: (Document | ShadowRoot)[], bound: number): Promise<number> {
  const shown = shownElements<HTMLImageElement>(roots, 'img');
  const pending = shown.filter((image) => !image.complete || image.decoding === 'async');
  const frames = roots.flatMap((root) => [...root.querySelectorAll<HTMLIFrameElement>('iframe[loading=lazy]')]);
  const loads = frames.map(
    async (frame) =>
      new Promise((resolve) => {
        // An iframe does not reveal whether it has loaded, and does not fire the event again.
        if (frame.contentDocument !== null && frame.contentDocument.URL !== 'about:blank') resolve(null);
        frame.addEventListener('load', resolve, { once: true });
      }),
  );
  for (const lazy of [...pending, ...frames]) if (lazy.loading === 'lazy') lazy.loading = 'eager';
  if (pending.length + loads.length === 0) return 0;
  const arrived = await settlesWithin(Promise.allSettled([...pending.map((image) => image.decode()), ...loads]), bound);
  return arrived ? 0 : pending.filter((image) => !image.complete).length;
}

/** The families that did not arrive in time. A font that is not loading is not needed, or has failed. */
async function awaitFonts(bound: number): Promise<string[]> {
  if (document.fonts.status === 'loaded' || (await settlesWithin(document.fonts.ready, bound))) return [];
  const loading = [...document.fonts].filter(({ status }) => status === 'loading');
  return [...new Set(loading.map(({ family }) => family.replaceAll('"', '')))];
}

/**
 * True when two frames in a row have the same size. Each frame ends the animations that started in the previous one,
 * because a page may start another animation at the end of one, and a moved element may be drawn in its old place for
 * one more frame.
 */
async function holdSize(bound: number): Promise<boolean> {
  // More animations than `endAnimation` reports to any element.
  const RESTARTS = 12;
  const end = performance.now() + bound;
  let restarts = 0;
  let shown = false;
  for (let last = pageSize(); performance.now() < end;) {
    await nextFrame();
    const ended = freeze(treeRoots());
    const shows: boolean = !shown && showAgain();
    shown ||= shows;
    const moved = (shows || ended) && restarts < RESTARTS;
    if (moved) restarts += 1;
    const size = pageSize();
    if (!moved && size.width === last.width && size.height === last.height) return true;
    last = size;
  }
  return false;
}

/** Brings the page into the state in which it is captured. Every wait has a limit. */
async function prepare(options: PreparePage): Promise<PreparedPage> {
  openBody();
  const seen = options.scroll
    ? await scrollThrough(options.maxHeight, options.scrollBound)
    : { seenHeight: pageSize().height, scrolledThrough: true };
  if (scrollX !== 0 || scrollY !== 0) scrollTo({ top: 0, left: 0, behavior: 'instant' });
  const roots = treeRoots();
  const mayScale = options.images && drawSkippedContent(roots, options.maxHeight > innerHeight);
  injectCss(roots, mayBlink(roots) ? `${options.stillCss}\n${options.css}` : options.css);
  freeze(roots);
  const imagesMissing = options.images ? await awaitImages(roots, options.bound) : 0;
  await stillMedia(roots, options.bound, options.images);
  const fontsMissing = await awaitFonts(options.fontBound);
  if (options.images) await redrawLayers(roots, mayScale);
  const heightHeld = await holdSize(options.holdBound);
  const [navigation] = performance.getEntriesByType('navigation');
  return {
    // It may be megabytes, and is told of each screenshot.
    title: document.title.slice(0, 10_000),
    status: navigation instanceof PerformanceNavigationTiming ? navigation.responseStatus : 0,
    ...pageSize(),
    ...seen,
    imagesMissing,
    fontsMissing,
    heightHeld,
    heightBelow: heightBelow(),
    scripted: document.querySelector('script, iframe, frame, object, embed') !== null,
    ...countMoving(roots),
  };
}

const PARTS = [
  pageSize,
  heightBelow,
  openBody,
  nextFrame,
  settlesWithin,
  treeRoots,
  shownElements,
  awaitShownImages,
  noteShown,
  hasTakenTurns,
  showAgain,
  scrollThrough,
  loadLazy,
  awaitImages,
  awaitFonts,
  endAnimation,
  SVG_ENDS,
  freeze,
  drawFirstFrame,
  awaitRing,
  layOutControls,
  stillMedia,
  countMoving,
  mayFixPseudo,
  drawSkippedContent,
  redrawLayers,
  injectCss,
  mayBlink,
  holdSize,
  prepare,
].join('\n');

/** An expression that evaluates to a PreparedPage. */
export function prepareExpression(options: PreparePage): string {
  return `(() => { ${PARTS}\nreturn prepare(${JSON.stringify(options)}); })()`;
}

/** Freezes a frame inside the page and injects the CSS into it. The expression evaluates to a Moving. */
export function prepareFrameExpression(css: string, bound: number, loads: boolean): string {
  return `(async () => {
    ${PARTS}
    const roots = treeRoots();
    loadLazy(roots);
    drawSkippedContent(roots, false);
    injectCss(roots, ${JSON.stringify(css)});
    freeze(roots);
    // Without scripts nothing plays, and nothing would ever be called back.
    if (!matchMedia('(scripting: none)').matches) await stillMedia(roots, ${bound}, ${loads});
    return countMoving(roots);
  })()`;
}

const OBSERVED = 'pixelgate.observed';

/**
 * Runs before the page's own scripts, in their world. Counts how often the page asks to be told what comes into view. Other
 * pages are not scrolled through, which would take a frame per screenful.
 */
export const OBSERVES_SCRIPT = `(() => {
  const { observe } = IntersectionObserver.prototype;
  IntersectionObserver.prototype.observe = function (target) {
    globalThis[Symbol.for('${OBSERVED}')] = (globalThis[Symbol.for('${OBSERVED}')] ?? 0) + 1;
    return observe.call(this, target);
  };
})()`;

/**
 * How many listeners and observers may change the page, or a frame in it, by scrolling. `getEventListeners` exists only
 * with `includeCommandLineAPI`, and so not in frames. They are not told about the page's scrolling either.
 */
export const REACTIONS_EXPRESSION = `(globalThis[Symbol.for('${OBSERVED}')] ?? 0) +
  (typeof getEventListeners !== 'function' ? 0 : [window, document, document.documentElement, document.body].flatMap(
    (target) => ['scroll', 'scrollend', 'wheel'].flatMap((type) =>
      ((target && getEventListeners(target)[type]) ?? []).filter(({ listener }) => listener !== ${OWN_LISTENER}))).length)`;

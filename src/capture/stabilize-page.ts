import type { Frame } from 'playwright';
import { formatCount, formatNumber } from '../text/format.ts';
import type { CaptureRequest, PageRules } from './browser/capture-request.ts';
import { refusedWith } from './describe-failure.ts';
import { useNodes, type DomNode } from './element-map/reach-closed-roots.ts';
import { answeringFrames, callOnNode, evaluateInFrames, evaluateInPage, silent } from './evaluate-in-page.ts';
import type { OpenPage } from './open-page.ts';
import { MAX_SCREENSHOT } from './screenshot-size.ts';
import {
  PreparedPage,
  prepareExpression,
  prepareFrameExpression,
  REACTIONS_EXPRESSION,
} from './scripts/page-script.ts';
import { ENDED } from './scripts/still-images.ts';
import { Moving } from './scripts/still-media-script.ts';

/** The limit for each of images and fonts, ms. It is enough because `load` has already waited for most of them. */
const STEP_MS = 10_000;
/** For scrolling: a frame for each screenful, and on a busy machine frames are slow. */
const SCROLL_MS = 25_000;
const HOLD_MS = 3000;
/**
 * How long the size must stay the same before later screenshots. If it changed before, it will not settle now, and
 * differing screenshots show that too.
 */
const HOLD_AGAIN_MS = 500;

/** Parts that the browser makes of elements. No script is told of their animations and transitions. */
const BUILT_IN = [
  'details-content',
  'placeholder',
  'file-selector-button',
  ...['progress-bar', 'progress-value', 'slider-runnable-track', 'slider-thumb'].map((part) => `-webkit-${part}`),
  ...['color-swatch', 'datetime-edit', 'calendar-picker-indicator'].map((part) => `-webkit-${part}`),
  ...['inner-spin-button', 'search-cancel-button'].map((part) => `-webkit-${part}`),
  ...['bar', 'optimum-value', 'suboptimum-value', 'even-less-good-value'].map((part) => `-webkit-meter-${part}`),
];

/** Carets blink, selections depend on the focus, and these bars move as long as they are shown. */
const STILL = `
  * { caret-color: transparent !important; scroll-behavior: auto !important; }
  ::selection { background-color: transparent !important; color: currentcolor !important; }
  progress:indeterminate { appearance: none !important; }
  ${BUILT_IN.map((part) => `::${part} { ${ENDED} }`).join('\n  ')}
`;

/**
 * A lazy frame far from the viewport does not respond before it is loaded. True when the page still loads although it has
 * no such frame.
 */
const LOAD_FRAMES = `(() => {
  const lazy = document.querySelectorAll('iframe[loading=lazy]');
  for (const frame of lazy) frame.loading = 'eager';
  return document.readyState !== 'complete' && lazy.length === 0;
})()`;

/** How long to wait for frames that are silent, ms. */
const SILENT_MS = 500;

const NOTHING_MOVES: Moving = { marquees: 0, rings: 0 };

function addMoving(one: Moving, other: Moving): Moving {
  return { marquees: one.marquees + other.marquees, rings: one.rings + other.rings };
}

/** Freezes the frames inside the page in the same way, if they respond in time. @returns what is left to be held there */
async function prepareFrames(open: OpenPage, css: string, bound: number, step: Step): Promise<Moving> {
  const { page, guard, warnings } = open;
  const frames = answeringFrames(page);
  if (frames.length === 0) return NOTHING_MOVES;
  const loads = await evaluateInPage(open, LOAD_FRAMES, 0);
  // They have been waited for as long as loading may take.
  const late = loads === true && warnings.has('never_loaded') ? frames.filter((frame) => frame.url() === '') : [];
  for (const frame of late) silent.add(frame);
  const expression = prepareFrameExpression(css, bound, step !== 'again');
  let moving = NOTHING_MOVES;
  const prepare = async (frame: Frame) => {
    const prepared = frame.evaluate(expression).then(
      (answer: unknown) => {
        silent.delete(frame);
        moving = addMoving(moving, Moving.catch(NOTHING_MOVES).parse(answer));
      },
      () => undefined,
    );
    if (!(await guard.settles(prepared, silent.has(frame) ? SILENT_MS : bound))) silent.add(frame);
  };
  await Promise.all(frames.map(prepare));
  return moving;
}

/**
 * How much to do: everything `first` on a document, less `again` before each further screenshot, and images once more
 * when the page is at `rest`.
 */
export type Step = 'first' | 'rest' | 'again';

/** How many listeners and observers react to scrolling. If that can't be determined of the page itself, it is scrolled. */
export async function countReactions(open: OpenPage): Promise<number> {
  const [main, ...frames] = await evaluateInFrames(open, REACTIONS_EXPRESSION);
  if (typeof main !== 'number') return Infinity;
  return frames.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), main);
}

/** Where a page insists on showing an element, by its `style` or in a layer, this still hides it. */
const CLIPPED = 'clip-path: inset(100%) !important;';

/**
 * The style sheets of the rules. They also apply to shadow roots, frames and later elements. `:is()` keeps a list of
 * selectors together; a selector that the browser does not know matches nothing.
 */
function ruleStyles({ hide, remove, css }: PageRules): string[] {
  return [
    ...hide.map(
      (selector) =>
        `:is(${selector}), :is(${selector}) * { visibility: hidden !important; } :is(${selector}) { ${CLIPPED} }`,
    ),
    ...remove.map(
      (selector) => `:is(${selector}) { display: none !important; position: absolute !important; ${CLIPPED} }`,
    ),
    css,
  ];
}

/** `reactions`: what reacted to scrolling before the page was scrolled through. 0 in later steps. */
type StablePage = PreparedPage & { reactions: number };

async function prepareDocument(open: OpenPage, request: CaptureRequest, step: Step): Promise<StablePage> {
  const bound = Math.min(request.timeout, STEP_MS);
  const css = [request.customCss, ...ruleStyles(request.rules)].filter((text) => text !== '').join('\n');
  const [reactions, inFrames] = await Promise.all([
    step === 'first' && request.fullPage ? countReactions(open) : 0,
    prepareFrames(open, `${STILL}\n${css}`, bound, step),
  ]);
  const options = {
    scroll: reactions > 0,
    images: step !== 'again',
    css,
    stillCss: STILL,
    maxHeight: request.fullPage ? MAX_SCREENSHOT.height : request.viewport.height,
    bound,
    scrollBound: SCROLL_MS,
    holdBound: step === 'first' ? HOLD_MS : HOLD_AGAIN_MS,
    fontBound: step === 'first' ? bound : HOLD_AGAIN_MS,
  };
  const answer = await evaluateInPage(open, prepareExpression(options), SCROLL_MS + 3 * bound + HOLD_MS);
  const prepared = PreparedPage.parse(answer);
  return { ...prepared, ...addMoving(prepared, inFrames), reactions };
}

function warn({ warnings }: OpenPage, prepared: PreparedPage, fullPage: boolean): void {
  if (!prepared.scrolledThrough) {
    warnings.add(
      'not_scrolled_through',
      'The page could not be scrolled to the end in time. Lazy-loaded content may be missing.',
    );
  }
  if (prepared.imagesMissing > 0) {
    const count = prepared.imagesMissing;
    warnings.add('images_not_loaded', `${formatCount(count, 'image')} did not load in time`);
  }
  for (const family of prepared.fontsMissing) {
    warnings.add('fonts_not_loaded', `The font ${family.slice(0, 100)} did not load in time`);
  }
  if (!prepared.heightHeld) {
    warnings.add('height_not_settled', 'The page size kept changing');
  }
  if (fullPage && prepared.heightBelow > 0) {
    const below = formatNumber(prepared.heightBelow);
    warnings.add(
      'cut',
      `An element scrolls instead of the page, so ${below} px below its edge were not captured. A rule with css can let it grow.`,
    );
  }
}

/**
 * Stabilizes the page: lazy content, images and fonts are loaded, nothing moves, and the size no longer changes.
 * @throws CaptureError when the page hangs or navigated to an error page, DocumentReplaced when it navigated.
 */
export async function stabilizePage(open: OpenPage, request: CaptureRequest, step: Step): Promise<StablePage> {
  const prepared = await prepareDocument(open, request, step);
  if (prepared.status >= 400) throw refusedWith(prepared.status);
  if (prepared.marquees > 0) await holdMarquees(open);
  if (prepared.rings > 0) await hideRings(open);
  warn(open, prepared, request.fullPage);
  return prepared;
}

/**
 * Called on the tree that the browser makes within a marquee. An important rule also wins over a later animation. What was
 * drawn while it moved is thrown away: placed between two pixels, it would be blurred.
 */
const HOLD = `function () {
  const moving = this.querySelector('div');
  moving.style.setProperty('transform', 'none', 'important');
  for (const animation of moving.getAnimations()) animation.cancel();
  moving.style.setProperty('display', 'none', 'important');
  void this.host.offsetWidth;
  moving.style.removeProperty('display');
}`;

/**
 * Shows the text of each `<marquee>` at its start. Its animation is internal to Chromium, and scripts can't reach it;
 * only the protocol can.
 */
async function holdMarquees(open: OpenPage): Promise<void> {
  const isInMarquee = ({ shadowRootType }: DomNode, parent: DomNode) =>
    shadowRootType === 'user-agent' && parent.nodeName === 'MARQUEE';
  await useNodes(open, isInMarquee, async (node, world) => callOnNode(open, node, HOLD, world));
}

/** The browser's name for the part of a video's controls that shows the ring. */
const RING = '-internal-media-controls-loading-panel';
const HIDE = "function () { this.style.visibility = 'hidden' }";

/**
 * Hides the rings of videos whose file never arrives: they turn as long as it is loading. Neither a script nor a style
 * sheet can reach them, only the protocol can.
 */
async function hideRings(open: OpenPage): Promise<void> {
  const isRing = ({ attributes = [] }: DomNode) => attributes.includes(RING);
  await useNodes(open, isRing, async (node, world) => callOnNode(open, node, HIDE, world));
}

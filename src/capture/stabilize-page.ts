import { errorMessage } from '../errors.ts';
import { formatCount } from '../text/format.ts';
import { CaptureError } from './browser.ts';
import type { CaptureRequest } from './browser.ts';
import { describeStatus } from './describe-failure.ts';
import { evaluateInPage, holdsInPage } from './evaluate-in-page.ts';
import { followPage } from './follow-page.ts';
import type { OpenPage } from './open-page.ts';
import { PreparedPage, prepareExpression, prepareFrameExpression, REACTS_EXPRESSION } from './page-script.ts';
import { MAX_SCREENSHOT } from './screenshot-size.ts';

/**
 * The limit for each of scrolling, images and fonts, ms. It is enough because `load` has already waited for most of
 * them.
 */
const STEP_MS = 10_000;
const HOLD_MS = 3000;
/**
 * How long the size must stay the same before later screenshots. If it changed before, it will not settle now, and
 * differing screenshots show that too.
 */
const HOLD_AGAIN_MS = 500;

const CARETS = 'input, textarea, [contenteditable] { caret-color: transparent !important; }';

/** Freezes the frames inside the page in the same way, if they respond in time. */
async function prepareFrames({ page, guard }: OpenPage, css: string, bound: number): Promise<void> {
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  if (frames.length === 0) return;
  const expression = prepareFrameExpression(css);
  const all = Promise.allSettled(frames.map(async (frame) => frame.evaluate(expression)));
  const late = 'a frame did not respond';
  await guard.within(all, bound, late).catch((error: unknown) => {
    if (errorMessage(error) !== late) throw error;
  });
}

async function prepareDocument(open: OpenPage, request: CaptureRequest, first: boolean): Promise<PreparedPage> {
  const bound = Math.min(request.timeout, STEP_MS);
  const css = `${CARETS}\n${request.customCss}`;
  const [scroll] = await Promise.all([
    first && request.fullPage ? holdsInPage(open, REACTS_EXPRESSION) : false,
    prepareFrames(open, css, bound),
  ]);
  const options = {
    scroll,
    images: first,
    css,
    maxHeight: MAX_SCREENSHOT.height,
    bound,
    holdBound: first ? HOLD_MS : HOLD_AGAIN_MS,
  };
  return PreparedPage.parse(await evaluateInPage(open, prepareExpression(options), 3 * bound + HOLD_MS));
}

function warn({ warnings }: OpenPage, prepared: PreparedPage): void {
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
  if (prepared.fontsMissing) warnings.add('fonts_not_loaded', 'The fonts of the page did not load in time');
  if (!prepared.heightHeld) {
    warnings.add('height_not_settled', 'The page size kept changing');
  }
}

/**
 * Stabilizes the page: lazy content, images and fonts are loaded, nothing moves, and the size no longer changes.
 * `first` includes the steps that are needed only once per document.
 * @throws CaptureError when the page hangs, keeps navigating, or navigated to an error page.
 */
export async function stabilizePage(open: OpenPage, request: CaptureRequest, first: boolean): Promise<PreparedPage> {
  const prepared = await followPage(open, request, async (moved) => prepareDocument(open, request, first || moved));
  if (prepared.status >= 400) throw new CaptureError(describeStatus(prepared.status));
  warn(open, prepared);
  return prepared;
}

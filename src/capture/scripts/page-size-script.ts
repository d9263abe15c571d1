import { nextFrame, settlesWithin } from './freeze-script.ts';

/* Runs inside the page, like `page-script.ts`. All sizes are in px. */

/**
 * Measured as Playwright measures a full page, so screenshots have the same size. A document that is not HTML, such as
 * an SVG, has no size of its own: it gets the size of the viewport.
 */
export function pageSize(): { width: number; height: number } {
  const parts = [document.documentElement, document.body].filter((part) => part !== null);
  const most = (measure: (part: HTMLElement) => number) => Math.max(0, ...parts.map((part) => measure(part) || 0));
  return {
    width: most((part) => Math.max(part.scrollWidth, part.offsetWidth, part.clientWidth)) || innerWidth,
    height: most((part) => Math.max(part.scrollHeight, part.offsetHeight, part.clientHeight)) || innerHeight,
  };
}

/**
 * Lets a body that scrolls instead of the page overflow it, so that what is below the window is drawn. The page does not
 * notice the style sheet for this.
 */
export function openBody(): void {
  const world: typeof globalThis & { pixelgateBody?: CSSStyleSheet } = globalThis;
  if (world.pixelgateBody !== undefined) world.pixelgateBody.disabled = true;
  if (document.body === null) return;
  const { overflowX, overflowY, display } = getComputedStyle(document.body);
  // If the root element has no style of its own, the window scrolls by that of the body.
  const mayScroll = /auto|scroll/.test(overflowY) && getComputedStyle(document.documentElement).overflowY !== 'visible';
  if (!mayScroll || document.body.scrollHeight <= document.body.clientHeight) return;
  const sheet = (world.pixelgateBody ??= new CSSStyleSheet());
  const kept = display === 'block' ? 'flow-root' : display;
  const across = overflowX === 'hidden' ? 'clip' : 'visible';
  sheet.replaceSync(`body { overflow: ${across} visible !important; display: ${kept} !important }`);
  sheet.disabled = false;
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
}

/**
 * In apps, an element in the middle of the window often scrolls instead of the page. How much of it is below its edge. 0:
 * there is no such element.
 */
export function heightBelow(): number {
  let below = 0;
  let around = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  for (; around !== null && around !== document.body; around = around.parentElement) {
    const { clientHeight, scrollHeight } = around;
    const scrolls = /auto|scroll/.test(getComputedStyle(around).overflowY);
    if (scrolls && clientHeight > innerHeight / 2) below = Math.max(below, scrollHeight - clientHeight);
  }
  return below;
}

/** The height of the whole page, px. */
export const HEIGHT_EXPRESSION = `(() => { ${pageSize.toString()}\nreturn pageSize().height; })()`;

/*
 * Scrolls through the page. Functions are passed as source text: each may only use what PARTS in `page-script.ts` lists.
 */

/**
 * Waits for images in the window, and then for a frame. Some scripts give up those that leave it before they have loaded;
 * the browser's own lazy images load later, too. @returns false if they did not arrive in time
 */
export async function awaitShownImages(): Promise<boolean> {
  const PATIENCE_MS = 1000;
  const pending = [...document.images].filter((image) => {
    if (image.complete || image.loading === 'lazy') return false;
    const { top, bottom } = image.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  if (pending.length === 0) return true;
  const arrived = await settlesWithin(Promise.allSettled(pending.map(async (image) => image.decode())), PATIENCE_MS);
  await nextFrame();
  return arrived;
}

/**
 * Intersection observers run once per frame, after the frame's callbacks. So this waits for a frame before it scrolls
 * on. Otherwise they would never see the first position. If the timer fired first, they notice the scroll position only
 * in the frame after the next callback.
 */
export async function scrollThrough(
  maxHeight: number,
  bound: number,
): Promise<{ seenHeight: number; scrolledThrough: boolean }> {
  const end = performance.now() + bound;
  let seenHeight = pageSize().height;
  let scrolledThrough = true;
  let awaitsImages = true;
  // Many pages show a part once it is some way into the window, and by whole windows it would never be.
  const step = Math.ceil(innerHeight / 2);
  for (let top = step; top < Math.min(pageSize().height, maxHeight) - innerHeight + step; top += step) {
    const inFrame = await nextFrame();
    awaitsImages &&= await awaitShownImages();
    if (performance.now() > end) {
      scrolledThrough = false;
      break;
    }
    scrollTo({ top, behavior: 'instant' });
    // Not later: the page may grow before the next frame.
    seenHeight = pageSize().height;
    if (!inFrame) await nextFrame();
  }
  // Handlers may look at the page's end only after a timer and a frame of their own.
  for (let frame = 0; frame < 3; frame += 1) await nextFrame();
  if (awaitsImages) await awaitShownImages();
  return { seenHeight, scrolledThrough };
}

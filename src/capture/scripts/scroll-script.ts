import { nextFrame, settlesWithin } from './freeze-script.ts';
import { pageSize } from './page-size-script.ts';
import { noteShown } from './shown-script.ts';

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
  const endNotes = noteShown();
  // Many pages show a part once it is some way into the window, and by whole windows it would never be.
  const step = Math.ceil(innerHeight / 2);
  for (let top = step; top < Math.min(pageSize().height, maxHeight) - innerHeight + step; top += step) {
    const inFrame = await nextFrame();
    // What the page does in this frame, or in a timer after it, still sees this position.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
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
  endNotes();
  return { seenHeight, scrolledThrough };
}

import type { Locator } from 'playwright';
import type { OpenPage } from '../open-page.ts';

const POLL_MS = 100;

/** The first visible element that the selector matches, in the page or one of its frames. */
async function lookFor({ page, guard }: OpenPage, selector: string): Promise<Locator | null> {
  for (const frame of page.frames()) {
    const locator = frame.locator(`css=${selector}`).filter({ visible: true }).first();
    // A frame may be gone, or be replaced by another document.
    if ((await guard.race(locator.count().catch(() => 0))) > 0) return locator;
  }
  return null;
}

/** Waits for a visible element. Open shadow roots are searched, too. Null if there is none until `end`. */
export async function findInFrames(open: OpenPage, selector: string, end: number): Promise<Locator | null> {
  for (;;) {
    const found = await lookFor(open, selector);
    if (found !== null || Date.now() >= end) return found;
    await open.guard.pause(Math.min(POLL_MS, Math.max(1, end - Date.now())));
  }
}

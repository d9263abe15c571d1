import type { CaptureRequest } from './browser/capture-request.ts';
import type { Lease } from './browser/keep-browser.ts';
import { inLoadedPage } from './capture-in-context.ts';
import { collectWarnings } from './capture-warnings.ts';
import { followPage } from './follow-page.ts';
import type { OpenPage } from './open-page.ts';
import { stabilizePage } from './stabilize-page.ts';
import { runStoppedClock } from './stop-clock.ts';
import { takeScreenshot } from './take-screenshot.ts';

/** The maximum number of timers that are tried one by one. */
const LOOKS = 6;
/** What scrolling through the page begins ends in this time, ms. */
const SCROLLED_MS = 500;

async function look(open: OpenPage, request: CaptureRequest): Promise<string> {
  return followPage(open, request, async () => {
    const prepared = await stabilizePage(open, request, 'first');
    return (await takeScreenshot(open, request, prepared)).sha256;
  });
}

/**
 * Which of these timers, in order, change the picture: the page is loaded with its clock stopped, which is then
 * advanced to each of them. On a page that moves, every step is another picture, so its timers are reported as well.
 * @param late the `settle.timeout` for each timer, ms.
 */
export async function findLateChanges(
  lease: Lease,
  request: CaptureRequest,
  late: number[],
  isCancelled: () => Promise<boolean>,
): Promise<number[]> {
  const timeout = request.settle.timeout;
  const longer = { ...request, settle: { ...request.settle, timeout: late.at(-1) ?? timeout } };
  return inLoadedPage(
    lease,
    longer,
    { stopAfter: timeout + request.waitTime },
    collectWarnings(),
    isCancelled,
    async ({ open }) => {
      const changing: number[] = [];
      const [first = timeout] = late;
      await look(open, request);
      let at = timeout + (await runStoppedClock(open, Math.max(0, Math.min(SCROLLED_MS, first - timeout - 1))));
      let shown = await look(open, request);
      for (const due of late.slice(0, LOOKS)) {
        if (due > at) at += await runStoppedClock(open, due - at);
        const now = await look(open, request);
        if (now !== shown) changing.push(due);
        shown = now;
        await open.guard.step();
      }
      return changing;
    },
  );
}

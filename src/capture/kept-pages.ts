import { unlessLate } from '../async/time-limit.ts';
import { sha256Of } from '../text/sha256.ts';
import type { Lease } from './browser/keep-browser.ts';
import type { LaunchedBrowser } from './browser/launch-browser.ts';
import type { Warnings } from './capture-warnings.ts';
import type { Guard, Listener } from './guard.ts';
import { closeContext, openContext, openTab, type OpenPage, type PageOptions, type Tab } from './open-page.ts';
import { isStill } from './still-page.ts';

/*
 * A fresh context costs as much processor time as the page in it. So the first look at a page uses a context that other
 * pages of the same scope have used, one after the other. If anything of a page is left for the next one, the context
 * is closed. The result only counts if it shows that nothing has changed, or that nothing can.
 */

/** Browsers fragment memory, so a context is closed after this many uses. */
const MAX_USES = 50;
/** How many contexts wait for the next page in one browser. */
const MAX_IDLE = 2;
/** How long a context waits, ms. */
const IDLE_MS = 5000;
const LEAVE_MS = 5000;

type Idle = { key: string; kept: ReusedPage; timer: NodeJS.Timeout };

/** Contexts that wait for their next use. They end with their browser. */
const waiting = new WeakMap<LaunchedBrowser, Idle[]>();

function idleIn({ launched }: Lease): Idle[] {
  const idle = waiting.get(launched) ?? [];
  waiting.set(launched, idle);
  return idle;
}

/**
 * Pages with different options are never captured in one context, unless they only differ in the size of the viewport.
 */
export function keyOf(scope: string, { viewport, emulation, blockHosts, scripts }: PageOptions): string {
  const { deviceScaleFactor, colorScheme, touch, userAgent } = viewport;
  // The type requires every option of a viewport, but not its name.
  const visitor: Omit<PageOptions['viewport'], 'width' | 'height'> = {
    deviceScaleFactor,
    colorScheme,
    touch,
    userAgent,
  };
  return sha256Of(JSON.stringify([scope, visitor, emulation, blockHosts, scripts]));
}

/** Prefers one of the same size. */
export function takeKept(lease: Lease, key: string, size: string): ReusedPage | null {
  const idle = idleIn(lease);
  const fits = idle.findIndex((each) => each.key === key && each.kept.size === size);
  const at = fits === -1 ? idle.findIndex((each) => each.key === key) : fits;
  const [found] = at === -1 ? [] : idle.splice(at, 1);
  clearTimeout(found?.timer);
  return found?.kept ?? null;
}

function give(lease: Lease, key: string, kept: ReusedPage): void {
  const idle = idleIn(lease);
  const end = (each: Idle) => {
    clearTimeout(each.timer);
    idle.splice(idle.indexOf(each), 1);
    void closeContext(each.kept.tab.context, lease);
  };
  const next: Idle = { key, kept, timer: setTimeout(() => end(next), IDLE_MS).unref() };
  idle.push(next);
  const [oldest] = idle;
  if (idle.length > MAX_IDLE && oldest !== undefined) end(oldest);
}

/** Whether there is anything that can't be cleared from outside, or that runs when the page is left. */
const LEAVES_TRACES = `(() => {
  const leaving = ['pagehide', 'unload', 'beforeunload', 'visibilitychange', 'freeze'];
  const heard = [window, document].flatMap((target) => Object.keys(getEventListeners(target)));
  return leaving.some((name) => heard.includes(name)) || sessionStorage.length > 0 || frames.length > 0;
})()`;

/** Whether everything that the page has left can be cleared from outside now. */
async function endPage({ page, cdp }: Tab): Promise<boolean> {
  const { result } = await cdp.send('Runtime.evaluate', {
    expression: LEAVES_TRACES,
    includeCommandLineAPI: true,
    returnByValue: true,
  });
  if (result.value !== false) return false;
  await page.goto('about:blank');
  return true;
}

async function leave({ tab, origins }: ReusedPage, open: OpenPage): Promise<boolean> {
  const { cdp, context } = tab;
  // A page that can't do anything any more may stay until the next one is loaded.
  if (!(await isStill(open)) && !(await endPage(tab))) return false;
  await Promise.all([
    context.clearCookies(),
    cdp.send('Network.clearBrowserCache'),
    cdp.send('Page.resetNavigationHistory'),
    cdp.send('Runtime.evaluate', { expression: "window.name = ''" }),
    ...[...origins].map(async (origin) => cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })),
  ]);
  origins.clear();
  return true;
}

export async function putBack(lease: Lease, key: string, kept: ReusedPage, open: OpenPage): Promise<void> {
  listenToNobody(kept);
  kept.uses += 1;
  const mayStay = !kept.isOdd && kept.uses < MAX_USES;
  const isClean = mayStay && (await unlessLate(LEAVE_MS, leave(kept, open))) === true;
  if (isClean && !kept.isOdd) give(lease, key, kept);
  else await closeContext(kept.tab.context, lease);
}

/** A page in a context of its own that several captures use, one after the other. */
export type ReusedPage = {
  tab: Tab;
  listener: Listener;
  size: string;
  /** Of all documents since it was cleared. */
  origins: Set<string>;
  uses: number;
  /** It may have traces that can't be cleared. */
  isOdd: boolean;
};

export const sizeOf = ({ viewport: { width, height } }: PageOptions) => `${width} × ${height}`;

export async function openReused(
  lease: Lease,
  options: PageOptions,
  { guard, warnings }: Pick<OpenPage, 'guard' | 'warnings'>,
): Promise<ReusedPage> {
  const context = await openContext(lease, options, guard);
  try {
    const listener: Listener = { guard, warnings };
    const tab = await openTab(context, lease, options, guard, listener);
    const reused: ReusedPage = { tab, listener, size: sizeOf(options), origins: new Set(), uses: 0, isOdd: false };
    tab.page.on('framenavigated', (frame) => {
      if (/^https?:/.test(frame.url())) reused.origins.add(new URL(frame.url()).origin);
    });
    return reused;
  } catch (error) {
    await closeContext(context, lease);
    throw error;
  }
}

/** A dialog, a download or another window may leave unknown traces. */
const ODD = new Set<Parameters<Warnings['add']>[0]>(['dialog', 'download', 'popup']);

export function listen(reused: ReusedPage, guard: Guard, warnings: Warnings): void {
  reused.listener.guard = guard;
  reused.listener.warnings = {
    add(code, ...more) {
      reused.isOdd ||= ODD.has(code);
      warnings.add(code, ...more);
    },
  };
}

/** Used between two pages. A failure is reported to the caller that leaves the page, too. */
export function listenToNobody(reused: ReusedPage): void {
  reused.listener.guard = { fail: () => undefined };
  reused.listener.warnings = {
    add() {
      reused.isOdd = true;
    },
  };
}

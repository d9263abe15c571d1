import { createHash } from 'node:crypto';
import { settlesWithin } from '../async/time-limit.ts';
import type { Lease } from './browser/keep-browser.ts';
import type { LaunchedBrowser } from './browser/launch-browser.ts';
import type { Warnings } from './capture-warnings.ts';
import type { Guard, Listener } from './guard.ts';
import {
  closeContext,
  openContext,
  openTab,
  resizeTab,
  toCrash,
  type OpenPage,
  type PageOptions,
  type Tab,
} from './open-page.ts';
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

type Kept = { tab: Tab; listener: Listener; size: string; origins: Set<string>; uses: number; isOdd: boolean };
type Idle = { key: string; kept: Kept; timer: NodeJS.Timeout };

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
function keyOf(scope: string, { viewport, emulation, blockHosts, scripts }: PageOptions): string {
  const { deviceScaleFactor, colorScheme, touch, userAgent } = viewport;
  // The type requires every option of a viewport, but not its name.
  const visitor: Omit<PageOptions['viewport'], 'width' | 'height'> = {
    deviceScaleFactor,
    colorScheme,
    touch,
    userAgent,
  };
  return createHash('sha256')
    .update(JSON.stringify([scope, visitor, emulation, blockHosts, scripts]))
    .digest('hex');
}

const sizeOf = ({ viewport: { width, height } }: PageOptions) => `${width} × ${height}`;

/** Prefers one of the same size. */
function take(lease: Lease, key: string, size: string): Kept | null {
  const idle = idleIn(lease);
  const fits = idle.findIndex((each) => each.key === key && each.kept.size === size);
  const at = fits === -1 ? idle.findIndex((each) => each.key === key) : fits;
  const [found] = at === -1 ? [] : idle.splice(at, 1);
  clearTimeout(found?.timer);
  return found?.kept ?? null;
}

function give(lease: Lease, key: string, kept: Kept): void {
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

async function open(lease: Lease, options: PageOptions, guard: Guard, warnings: Warnings): Promise<Kept> {
  const context = await openContext(lease, options, guard);
  try {
    const listener: Listener = { guard, warnings };
    const tab = await openTab(context, lease, options, guard, listener);
    const kept: Kept = { tab, listener, size: sizeOf(options), origins: new Set(), uses: 0, isOdd: false };
    tab.page.on('framenavigated', (frame) => {
      if (/^https?:/.test(frame.url())) kept.origins.add(new URL(frame.url()).origin);
    });
    return kept;
  } catch (error) {
    await closeContext(context, lease);
    throw error;
  }
}

/** A dialog, a download or another window may leave unknown traces. */
const ODD = new Set<Parameters<Warnings['add']>[0]>(['dialog', 'download', 'popup']);

function listen(kept: Kept, guard: Guard, warnings: Warnings): void {
  kept.listener.guard = guard;
  kept.listener.warnings = {
    add(code, ...more) {
      kept.isOdd ||= ODD.has(code);
      warnings.add(code, ...more);
    },
  };
}

/** Used between two pages. A failure is reported to the caller that leaves the page, too. */
function listenToNobody(kept: Kept): void {
  kept.listener.guard = { fail: () => undefined };
  kept.listener.warnings = {
    add() {
      kept.isOdd = true;
    },
  };
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

async function leave({ tab, origins }: Kept, open: OpenPage): Promise<boolean> {
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

async function putBack(lease: Lease, key: string, kept: Kept, open: OpenPage): Promise<void> {
  listenToNobody(kept);
  kept.uses += 1;
  const left = kept.isOdd || kept.uses >= MAX_USES ? Promise.resolve(false) : leave(kept, open).catch(() => false);
  const isClean = (await settlesWithin(LEAVE_MS, left)) && (await left);
  if (isClean && !kept.isOdd) give(lease, key, kept);
  else await closeContext(kept.tab.context, lease);
}

/**
 * Calls `use` with a page that others of the scope may have been captured in, one after the other.
 * @throws PageCrashed, and what `use` throws
 */
export async function withKeptPage<T>(
  lease: Lease,
  { scope, ...options }: PageOptions & { scope: string },
  guard: Guard,
  warnings: Warnings,
  use: (open: OpenPage) => Promise<T>,
): Promise<T> {
  const key = keyOf(scope, options);
  const found = take(lease, key, sizeOf(options));
  const kept = found ?? (await open(lease, options, guard, warnings));
  const page = { ...kept.tab, guard, warnings };
  let done: { value: T };
  try {
    listen(kept, guard, warnings);
    const { navigation, requests, pictures } = kept.tab;
    navigation.restart(options);
    requests.restart();
    pictures.restart();
    if (kept.size !== sizeOf(options)) await guard.race(resizeTab(kept.tab, options));
    kept.size = sizeOf(options);
    done = { value: await use(page) };
  } catch (error) {
    await closeContext(kept.tab.context, lease);
    throw toCrash(error);
  }
  await putBack(lease, key, kept, page);
  return done.value;
}

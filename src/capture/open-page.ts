import type { BrowserContext, CDPSession, Page, Request } from 'playwright';
import { settlesWithin } from '../async/time-limit.ts';
import { errorMessage } from '../errors.ts';
import { blockHosts } from './browser/block-hosts.ts';
import { CaptureError, PageCrashed } from './browser/browser.ts';
import type { CaptureRequest } from './browser/capture-request.ts';
import type { Lease } from './browser/keep-browser.ts';
import type { LaunchedBrowser } from './browser/launch-browser.ts';
import type { Warnings } from './capture-warnings.ts';
import { notLoaded } from './describe-failure.ts';
import type { Guard, Listener } from './guard.ts';
import { sendAccess, toStorageState } from './site-access/send-access.ts';
import { watchNavigation, type Navigation } from './watch/watch-navigation.ts';
import { watchPictures, type Pictures } from './watch/watch-pictures.ts';
import { watchRequests, type Requests } from './watch/watch-requests.ts';

export type PageOptions = Pick<
  CaptureRequest,
  'url' | 'viewport' | 'emulation' | 'access' | 'preview' | 'serviceWorkers' | 'blockHosts'
> & {
  /** Run in every frame before the page's own scripts, in this order. */
  scripts: string[];
  /** What is done to the context before the page is opened. */
  before: ((context: BrowserContext) => Promise<void>) | null;
};

export type OpenPage = {
  launched: LaunchedBrowser;
  page: Page;
  cdp: CDPSession;
  frameId: string;
  navigation: Navigation;
  requests: Requests;
  pictures: Pictures;
  /** The hashes of responses that are known to be the same each time, by address. */
  steady: Map<string, string>;
  guard: Guard;
  warnings: Warnings;
};

/** A page, independent of the capture that uses it. */
export type Tab = Omit<OpenPage, 'guard' | 'warnings'> & { context: BrowserContext };

/** If closing a context takes longer than this, the browser does not respond. */
const CLOSE_MS = 10_000;
const MAX_DIALOGS = 50;
const MAX_POPUPS = 20;
/** Measured: this many delay the other pages of the browser by two to three seconds. */
const MAX_MESSAGES = 3000;
/** As many characters count as a further message. Playwright keeps the text of the newest 200. */
const LONG_MESSAGE = 10_000;

/** Settings have time zones in any case, and Chromium knows each in one only. */
const spellTimeZone = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

async function newContext(
  { browser, contextProxy }: LaunchedBrowser,
  { viewport, emulation, access, serviceWorkers }: PageOptions,
): Promise<BrowserContext> {
  const { width, height, deviceScaleFactor, touch, userAgent } = viewport;
  return browser.newContext({
    viewport: { width, height },
    deviceScaleFactor,
    hasTouch: touch,
    reducedMotion: emulation.reducedMotion ? 'reduce' : 'no-preference',
    colorScheme: viewport.colorScheme ?? emulation.colorScheme,
    locale: emulation.locale,
    timezoneId: spellTimeZone(emulation.timezone),
    acceptDownloads: false,
    serviceWorkers,
    ...(userAgent === null ? {} : { userAgent }),
    ...(contextProxy === null ? {} : { proxy: contextProxy }),
    ...(access === null ? {} : { storageState: toStorageState(access) }),
  });
}

/**
 * Closes a context, with a time limit so that the result is not delayed forever. A browser that fails to close a
 * context is not used again.
 */
export async function closeContext(context: BrowserContext, lease: Lease): Promise<void> {
  const closing = context.close().catch(() => undefined);
  if (!(await settlesWithin(CLOSE_MS, closing))) lease.retire();
}

/** Dismisses dialogs. Otherwise the page would wait for an answer forever. */
function watchDialogs(context: BrowserContext, listener: Listener): void {
  let dialogs = 0;
  context.on('dialog', (dialog) => {
    dialogs += 1;
    if (dialogs > MAX_DIALOGS) listener.guard.fail(new CaptureError('The page keeps opening dialogs'));
    if (dialog.type() !== 'beforeunload') {
      const text = dialog.message().slice(0, 200);
      listener.warnings.add('dialog', `The page opened a dialog (${dialog.type()}), which was dismissed: ${text}`);
    }
    dialog.dismiss().catch(() => undefined);
  });
}

function watchPopups(context: BrowserContext, page: Page, listener: Listener): void {
  let popups = 0;
  context.on('page', (popup) => {
    if (popup === page) return;
    popups += 1;
    if (popups > MAX_POPUPS) listener.guard.fail(new CaptureError('The page keeps opening windows'));
    listener.warnings.add('popup', 'The page opened a new window, which was closed');
    popup.close().catch(() => undefined);
  });
}

/** Messages to the console, and errors. The browser passes on those of all its pages, one after the other. */
function watchMessages(context: BrowserContext, listener: Listener): void {
  let { guard } = listener;
  let messages = 0;
  const count = (text: string) => {
    if (listener.guard !== guard) messages = 0;
    ({ guard } = listener);
    messages += 1 + text.length / LONG_MESSAGE;
    if (messages > MAX_MESSAGES) guard.fail(new CaptureError('The page keeps writing to the console'));
  };
  context.on('console', (message) => count(message.text()));
  context.on('weberror', (found) => count(errorMessage(found.error())));
}

/** Why the rest of a document did not arrive. Null: the page did not want it, or nothing had arrived. */
async function findBreak(request: Request): Promise<CaptureError | null> {
  const reason = request.failure()?.errorText ?? '';
  if (reason.includes('ERR_ABORTED')) return null;
  const response = await request.response();
  return response?.ok() === true ? notLoaded(new Error(reason), request.url()) : null;
}

function watchPage(page: Page, listener: Listener): void {
  page.on('requestfailed', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
    // Chromium shows a response that broke off as if it were complete.
    findBreak(request).then(
      (broken) => broken !== null && listener.guard.fail(broken),
      () => undefined,
    );
  });
  page.on('crash', () => listener.guard.fail(new PageCrashed()));
  page.on('close', () => listener.guard.fail(new CaptureError('The page closed its own window')));
  page.on('download', (download) => {
    listener.warnings.add(
      'download',
      `The page started a download, which was blocked: ${download.suggestedFilename()}`,
    );
  });
}

/**
 * The families of the headless shell's own preferences. Playwright sets others, and they last until Chromium applies its
 * preferences again, which it does for each screenshot beyond the viewport. Then text would be measured in one font and
 * drawn in another, and all code of a page would change when it outgrows the viewport. Full Chromium prefers what
 * Playwright sets.
 */
const SHELL_FONTS = {
  standard: 'Times New Roman',
  fixed: 'Courier New',
  serif: 'Times New Roman',
  sansSerif: 'Arial',
  cursive: 'Script',
  fantasy: 'Impact',
};

/**
 * After a screenshot, Chromium returns to what the session that took it emulates. So that must be the same as in
 * Playwright's session.
 */
function deviceMetrics({ viewport: { width, height, deviceScaleFactor } }: PageOptions) {
  const screenOrientation = { angle: 0, type: 'landscapePrimary' } as const;
  const screen = { screenWidth: width, screenHeight: height, screenOrientation };
  return { width, height, ...screen, deviceScaleFactor, mobile: false };
}

/** Gives the tab the size of the viewport. */
export async function resizeTab({ page, cdp }: Tab, options: PageOptions): Promise<void> {
  await page.setViewportSize({ width: options.viewport.width, height: options.viewport.height });
  await cdp.send('Emulation.setDeviceMetricsOverride', deviceMetrics(options));
}

/** A fresh context, which is closed again if the guard fails first. */
export async function openContext(lease: Lease, options: PageOptions, guard: Guard): Promise<BrowserContext> {
  const opening = newContext(lease.launched, options);
  return guard.race(opening).catch((error: unknown) => {
    opening.then((late) => closeContext(late, lease)).catch(() => undefined);
    throw error;
  });
}

/** Opens a page in the context. */
export async function openTab(
  context: BrowserContext,
  lease: Lease,
  options: PageOptions,
  guard: Guard,
  listener: Listener,
): Promise<Tab> {
  watchDialogs(context, listener);
  watchMessages(context, listener);
  // Each message to the browser costs about as much as the script.
  const content = options.scripts.join(';\n');
  if (content !== '') await guard.race(context.addInitScript({ content }));
  if (options.before !== null) await guard.race(options.before(context));
  const page = await guard.race(context.newPage());
  watchPage(page, listener);
  const requests = watchRequests(page);
  const pictures = watchPictures(page);
  watchPopups(context, page, listener);
  if (options.access !== null) await sendAccess(context, page, options.access, guard);
  const cdp = await guard.race(context.newCDPSession(page));
  const navigation = watchNavigation(cdp, options, listener);
  const [{ frameTree }] = await guard.race(
    Promise.all([
      cdp.send('Page.getFrameTree'),
      cdp.send('Page.enable'),
      lease.launched.isLinuxShell ? cdp.send('Page.setFontFamilies', { fontFamilies: SHELL_FONTS }) : null,
      cdp.send('Emulation.setDeviceMetricsOverride', deviceMetrics(options)),
      // A browser that we launched hides scrollbars because of its command line. A remote browser has to be told.
      lease.launched.remote ? cdp.send('Emulation.setScrollbarsHidden', { hidden: true }) : null,
    ]),
  );
  const frameId = frameTree.frame.id;
  navigation.mainFrame(frameId);
  await blockHosts(cdp, guard, options.blockHosts);
  return { context, launched: lease.launched, page, cdp, frameId, navigation, requests, pictures, steady: new Map() };
}

/** Work that waits for a page's response may fail before the crash event arrives. */
export function toCrash(error: unknown): unknown {
  if (!/Target crashed|Page crashed/.test(errorMessage(error))) return error;
  return new PageCrashed({ cause: error });
}

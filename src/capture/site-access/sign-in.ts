import type { FilteringProxy } from '../../net/filtering-proxy.ts';
import { cookiesOf, isSentTo, ownOrigins, type SentAccess } from '../../net/sent-access.ts';
import { matchesGlobs } from '../../text/globs.ts';
import { portOf } from '../../text/parse-url.ts';
import { CaptureError } from '../browser/browser.ts';
import type { Lease } from '../browser/keep-browser.ts';
import { collectWarnings } from '../capture-warnings.ts';
import { openGuard } from '../guard.ts';
import { loadPage } from '../load-page.ts';
import type { OpenPage } from '../open-page.ts';
import { plainPage } from '../plain-page.ts';
import { withFreshPage } from '../series.ts';
import type { SignedIn, SignInRequest } from './sign-in-request.ts';

/** How long to wait for a field of the next step, such as the password after the name, ms. */
const NEXT_STEP_MS = 2000;
const SLACK_MS = 15_000;

/**
 * Arguments for the browser of a login. It resolves no names, because a name alone could reveal what was typed; its
 * proxy does that. It opens no windows.
 */
export const LOGIN_ARGS = ['--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1', '--block-new-web-contents'];

/** The same for a remote browser, which has its own arguments, and for everything that could bypass the proxy. */
const NO_WAY_OUT = `(() => {
  Object.defineProperty(globalThis, 'open', { value: () => null });
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete globalThis[name];
})()`;

const withoutBrackets = (hostname: string) => hostname.replace('[', '').replace(']', '').toLowerCase();

/** From now on only the site's own origin can be reached, whatever the page does. */
function keepWithin(proxy: FilteringProxy, access: SentAccess): void {
  const own = ownOrigins(access).map((url) => ({ hostname: withoutBrackets(url.hostname), port: portOf(url) }));
  proxy.keepTo((hostname, port) =>
    own.some((each) => each.hostname === withoutBrackets(hostname) && each.port === port),
  );
}

/** Whether it worked. The error itself is dropped, because it may contain what was typed. */
async function works({ guard }: OpenPage, work: Promise<unknown>): Promise<boolean> {
  return guard.race(
    work.then(
      () => true,
      () => false,
    ),
  );
}

async function appears(open: OpenPage, selector: string, timeout: number): Promise<boolean> {
  return works(open, open.page.locator(selector).first().waitFor({ state: 'visible', timeout }));
}

async function submit(open: OpenPage, request: SignInRequest, last: string): Promise<void> {
  const { page } = open;
  const { timeout } = request;
  const press =
    request.submit === null
      ? page.locator(last).first().press('Enter', { timeout, noWaitAfter: true })
      : page.locator(request.submit).first().click({ timeout, noWaitAfter: true });
  if (!(await works(open, press)))
    throw new CaptureError(`The login failed: ${request.submit ?? last} could not be used`);
}

async function fill(open: OpenPage, request: SignInRequest, proxy: FilteringProxy): Promise<void> {
  const { page } = open;
  const { timeout, access } = request;
  let last: string | null = null;
  for (const { selector, value } of request.fields) {
    const isNextStep = last !== null && !(await appears(open, selector, NEXT_STEP_MS));
    if (last !== null && isNextStep) await submit(open, request, last);
    if (!(await appears(open, selector, timeout))) {
      throw new CaptureError(`The login failed: ${selector} did not appear on the login page`);
    }
    if (last === null) keepWithin(proxy, access);
    if (!isSentTo(access, page.url())) throw new CaptureError('The login failed: its page is on another origin');
    const typed = page.locator(selector).first().fill(value, { timeout });
    if (!(await works(open, typed))) throw new CaptureError(`The login failed: ${selector} could not be filled in`);
    last = selector;
  }
  if (last !== null) await submit(open, request, last);
}

function isAt({ page }: OpenPage, { access }: SignInRequest, path: string): boolean {
  const { pathname } = new URL(page.url());
  return isSentTo(access, page.url()) && (path.includes('*') ? matchesGlobs([path], pathname) : pathname === path);
}

/** Where the login led, in words. */
function placeOf({ page }: OpenPage, { access }: SignInRequest): string {
  const { pathname } = new URL(page.url());
  return isSentTo(access, page.url()) ? pathname : 'another origin, which it may not reach';
}

async function awaitSuccess(open: OpenPage, request: SignInRequest): Promise<void> {
  const { timeout } = request;
  const { path, selector } = request.success;
  if (path !== undefined) {
    const arrives = open.page.waitForURL(() => isAt(open, request, path), { timeout, waitUntil: 'commit' });
    if (!(await works(open, arrives)) && !isAt(open, request, path))
      throw new CaptureError(`The login failed: it did not lead to ${path} but to ${placeOf(open, request)}`);
  }
  if (selector !== undefined && !(await appears(open, selector, timeout))) {
    throw new CaptureError(`The login failed: ${selector} did not appear after it`);
  }
}

/** What the browser keeps for the site's own host, without what it keeps for any other. */
async function collect({ page, guard }: OpenPage, { access }: SignInRequest): Promise<SignedIn> {
  const { cookies, origins } = await guard.race(page.context().storageState());
  return {
    cookies: cookiesOf(access.origin, cookies),
    localStorage: origins.filter(({ origin }) => isSentTo(access, origin)).flatMap(({ localStorage }) => localStorage),
  };
}

/** The messages of the browser's errors, and addresses that a page goes to, may hold what was typed. */
function withoutTyped(error: unknown, url: string, isLoaded: boolean): Error {
  if (!(error instanceof CaptureError)) return new Error(`The login at ${new URL(url).host} was interrupted`);
  if (!isLoaded || error.message.startsWith('The login failed')) return error;
  return new CaptureError('The login failed: it was interrupted, or led to another origin, which it may not reach');
}

/**
 * Fills in a login form, and returns the cookies and storage that the site has set.
 * @param lease a browser of its own, which reaches everything through this proxy
 * @throws CaptureError
 */
export async function signIn(lease: Lease, proxy: FilteringProxy, request: SignInRequest): Promise<SignedIn> {
  const { url, timeout, userAgent, access } = request;
  const guard = openGuard((request.fields.length + 4) * timeout + SLACK_MS, async () => false);
  const options = { ...plainPage(url, access, userAgent), scripts: [NO_WAY_OUT], before: null };
  let isLoaded = false;
  try {
    return await withFreshPage(lease, options, { guard, warnings: collectWarnings() }, async (open) => {
      await loadPage(open, { url, waitStrategy: 'load', waitTime: 0, timeout });
      isLoaded = true;
      await fill(open, request, proxy);
      await awaitSuccess(open, request);
      return collect(open, request);
    });
  } catch (error) {
    throw withoutTyped(error, url, isLoaded);
  } finally {
    guard.end();
  }
}

import type { Page } from 'playwright';
import { isSentTo } from '../net/sent-access.ts';
import { matchesGlobs } from '../text/globs.ts';
import { CaptureError } from './browser.ts';
import { collectWarnings } from './capture-warnings.ts';
import { openGuard } from './guard.ts';
import type { Lease } from './keep-browser.ts';
import { loadPage } from './load-page.ts';
import { withPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';
import { EMULATION, VIEWPORT } from './plain-page.ts';
import type { SignedIn, SignInRequest } from './sign-in-request.ts';

/** A field of the next step, such as the password after the name, ms. */
const NEXT_STEP_MS = 2000;
const SLACK_MS = 15_000;

/**
 * Once fields are filled in, no other origin gets what was typed: neither by a form or a script that sends to it, nor in
 * an address.
 */
async function keepWithin({ page, guard }: OpenPage, { access, fields }: SignInRequest): Promise<void> {
  const values = fields.flatMap(({ value }) => [
    value,
    encodeURIComponent(value),
    new URLSearchParams({ value }).toString().slice(6),
  ]);
  const cdp = await guard.race(page.context().newCDPSession(page));
  cdp.on('Fetch.requestPaused', ({ requestId, request: { url, method } }) => {
    const leaks =
      !isSentTo(access, url) && (!/^(GET|HEAD|OPTIONS)$/.test(method) || values.some((value) => url.includes(value)));
    const answer = leaks
      ? cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
      : cdp.send('Fetch.continueRequest', { requestId });
    answer.catch(() => undefined);
  });
  await guard.race(cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }));
}

async function appears({ page, guard }: OpenPage, selector: string, timeout: number): Promise<boolean> {
  const seen = page.locator(selector).first().waitFor({ state: 'visible', timeout });
  return guard.race(seen.then(() => true).catch(() => false));
}

async function submit({ page, guard }: OpenPage, request: SignInRequest, last: string): Promise<void> {
  const { timeout } = request;
  const press =
    request.submit === null
      ? page.locator(last).first().press('Enter', { timeout, noWaitAfter: true })
      : page.locator(request.submit).first().click({ timeout, noWaitAfter: true });
  const done = await guard.race(press.then(() => true).catch(() => false));
  if (!done) throw new CaptureError(`The login failed: ${request.submit ?? last} could not be used`);
}

async function fill(open: OpenPage, request: SignInRequest): Promise<void> {
  const { page, guard } = open;
  const { timeout, access } = request;
  let last: string | null = null;
  for (const { selector, value } of request.fields) {
    const isNextStep = last !== null && !(await appears(open, selector, NEXT_STEP_MS));
    if (last !== null && isNextStep) await submit(open, request, last);
    if (!(await appears(open, selector, timeout))) {
      throw new CaptureError(`The login failed: ${selector} did not appear on the login page`);
    }
    if (!isSentTo(access, page.url())) throw new CaptureError('The login failed: its page is on another origin');
    // Playwright's messages repeat what was typed, so they go no further.
    const typed = await guard.race(
      page
        .locator(selector)
        .first()
        .fill(value, { timeout })
        .then(
          () => true,
          () => false,
        ),
    );
    if (!typed) throw new CaptureError(`The login failed: ${selector} could not be filled in`);
    last = selector;
  }
  if (last !== null) await submit(open, request, last);
}

function isAt(page: Page, path: string): boolean {
  const { pathname } = new URL(page.url());
  return path.includes('*') ? matchesGlobs([path], pathname) : pathname === path;
}

async function awaitSuccess(open: OpenPage, { success, timeout }: SignInRequest): Promise<void> {
  const { page, guard } = open;
  const { path, selector } = success;
  if (path !== undefined) {
    const arrives = page.waitForURL(() => isAt(page, path), { timeout, waitUntil: 'commit' });
    const arrived = await guard.race(arrives.then(() => true).catch(() => isAt(page, path)));
    if (!arrived)
      throw new CaptureError(`The login failed: it did not lead to ${path} but to ${new URL(page.url()).pathname}`);
  }
  if (selector !== undefined && !(await appears(open, selector, timeout))) {
    throw new CaptureError(`The login failed: ${selector} did not appear after it`);
  }
}

/** What the browser keeps for the site's own host, without what it keeps for any other. */
async function collect({ page, guard }: OpenPage, { access }: SignInRequest): Promise<SignedIn> {
  const { cookies, origins } = await guard.race(page.context().storageState());
  const { hostname } = new URL(page.url());
  const isOwn = (domain: string) => {
    const bare = domain.replace(/^\./, '');
    return hostname === bare || (domain.startsWith('.') && hostname.endsWith(`.${bare}`));
  };
  return {
    cookies: cookies
      .filter(({ domain }) => isOwn(domain))
      .map(({ name, value, path, httpOnly, sameSite }) => ({ name, value, path, httpOnly, sameSite })),
    localStorage: origins.filter(({ origin }) => isSentTo(access, origin)).flatMap(({ localStorage }) => localStorage),
  };
}

/** The messages of the browser's errors may hold what was typed. */
function withoutTyped(error: unknown, url: string): Error {
  return error instanceof CaptureError ? error : new Error(`The login at ${new URL(url).host} was interrupted`);
}

/** Fills in a login form in a fresh context, and keeps what the site then knows the browser by. @throws CaptureError */
export async function signIn(lease: Lease, request: SignInRequest): Promise<SignedIn> {
  const { url, timeout, userAgent, access } = request;
  const guard = openGuard((request.fields.length + 4) * timeout + SLACK_MS, async () => false);
  const options = {
    url,
    access,
    viewport: { ...VIEWPORT, userAgent },
    emulation: EMULATION,
    scripts: [],
    before: null,
  };
  try {
    return await withPage(lease, options, guard, collectWarnings(), async (open) => {
      await loadPage(open, { url, waitStrategy: 'load', waitTime: 0, timeout });
      await keepWithin(open, request);
      await fill(open, request);
      await awaitSuccess(open, request);
      return collect(open, request);
    });
  } catch (error) {
    throw withoutTyped(error, url);
  } finally {
    guard.end();
  }
}

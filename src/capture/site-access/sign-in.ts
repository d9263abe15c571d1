import type { Page } from 'playwright';
import { isSentTo } from '../../net/sent-access.ts';
import { matchesGlobs } from '../../text/globs.ts';
import { CaptureError } from '../browser/browser.ts';
import { collectWarnings } from '../capture-warnings.ts';
import { openGuard } from '../guard.ts';
import type { Lease } from '../browser/keep-browser.ts';
import { loadPage } from '../load-page.ts';
import { withPage } from '../open-page.ts';
import type { OpenPage } from '../open-page.ts';
import { EMULATION, VIEWPORT } from '../plain-page.ts';
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

/** Whether it worked. What the error would say may hold what was typed. */
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

async function fill(open: OpenPage, request: SignInRequest): Promise<void> {
  const { page } = open;
  const { timeout, access } = request;
  let last: string | null = null;
  for (const { selector, value } of request.fields) {
    const isNextStep = last !== null && !(await appears(open, selector, NEXT_STEP_MS));
    if (last !== null && isNextStep) await submit(open, request, last);
    if (!(await appears(open, selector, timeout))) {
      throw new CaptureError(`The login failed: ${selector} did not appear on the login page`);
    }
    if (!isSentTo(access, page.url())) throw new CaptureError('The login failed: its page is on another origin');
    const typed = page.locator(selector).first().fill(value, { timeout });
    if (!(await works(open, typed))) throw new CaptureError(`The login failed: ${selector} could not be filled in`);
    last = selector;
  }
  if (last !== null) await submit(open, request, last);
}

function isAt(page: Page, path: string): boolean {
  const { pathname } = new URL(page.url());
  return path.includes('*') ? matchesGlobs([path], pathname) : pathname === path;
}

async function awaitSuccess(open: OpenPage, { success, timeout }: SignInRequest): Promise<void> {
  const { page } = open;
  const { path, selector } = success;
  if (path !== undefined) {
    const arrives = page.waitForURL(() => isAt(page, path), { timeout, waitUntil: 'commit' });
    if (!(await works(open, arrives)) && !isAt(page, path))
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
    preview: null,
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

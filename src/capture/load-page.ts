import type { Response } from 'playwright';
import { isRefusal, recognizeWall } from '../net/recognize-wall.ts';
import { formatSeconds } from '../text/format.ts';
import { CaptureError } from './browser/browser.ts';
import type { CaptureRequest } from './browser/capture-request.ts';
import { isTimeout } from './browser/load-playwright.ts';
import { notAnswered, notLoaded, refusedWith } from './describe-failure.ts';
import type { OpenPage } from './open-page.ts';

export type LoadOptions = Pick<CaptureRequest, 'url' | 'waitStrategy' | 'waitTime' | 'timeout'>;

async function commit({ page, guard }: OpenPage, { url, timeout }: LoadOptions): Promise<Response | null> {
  try {
    return await guard.race(page.goto(url, { waitUntil: 'commit', timeout }));
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    if (isTimeout(error)) {
      const message = `The page did not respond within ${formatSeconds(timeout / 1000)}`;
      throw new CaptureError(message, { code: 'timeout', cause: error });
    }
    throw error;
  }
}

/** How long a live page takes to respond, ms. */
const ALIVE_MS = 5000;

/** A navigation ends the same way for a page that crashed as for a download. @throws PageCrashed */
async function assertAlive({ cdp, guard }: OpenPage): Promise<void> {
  await guard.within(cdp.send('Runtime.evaluate', { expression: '0' }), ALIVE_MS, 'The page stopped responding');
}

/** The response of the filtering proxy itself, or of the page. Other statuses are always the page's. */
const PROXY_ANSWERS = [403, 404, 502, 503, 504];

/** No HTTP server uses these statuses: the filtering proxy got no response. */
const NO_ANSWER = 590;

async function failedAnswer({ launched }: OpenPage, response: Response): Promise<CaptureError> {
  const status = response.status();
  const mayBeProxy = PROXY_ANSWERS.includes(status) || status >= NO_ANSWER;
  const why = mayBeProxy ? await launched.whyUnreachable(response.url()) : null;
  if (why !== null) return new CaptureError(why.message, { code: why.code });
  if (launched.behindProxy && status >= NO_ANSWER) return notAnswered(status, response.url());
  return refusal(response);
}

/** The body of an error response shows who sent it. */
async function refusal(response: Response): Promise<CaptureError> {
  const status = response.status();
  if (!isRefusal(status)) return refusedWith(status);
  const body = await response.body().catch(() => Buffer.alloc(0));
  const wall = recognizeWall({ status, headers: response.headers(), body }, response.url());
  return refusedWith(status, wall);
}

/** Waits for the event of the wait strategy. If it never occurs, the page is captured as it is, with a warning. */
async function awaitStrategy(open: OpenPage, options: LoadOptions, end: number): Promise<void> {
  const { page, guard, warnings } = open;
  try {
    await guard.race(page.waitForLoadState(options.waitStrategy, { timeout: Math.max(1, end - Date.now()) }));
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const within = `within ${formatSeconds(options.timeout / 1000)}, so it was captured as it was`;
    if (options.waitStrategy === 'networkidle') warnings.add('never_idle', `The network did not become idle ${within}`);
    else warnings.add('never_loaded', `The page did not finish loading ${within}`);
  }
}

/** Follows the page's own redirects, then waits as the settings require. */
export async function awaitLoaded(open: OpenPage, options: LoadOptions, end: number): Promise<void> {
  await awaitStrategy(open, options, end);
  if (options.waitTime > 0) await open.guard.pause(options.waitTime);
}

/**
 * Navigates and waits. `timeout` covers the response and the wait strategy together; `waitTime` comes after that.
 * @returns the response; null when the browser has none.
 * @throws CaptureError when there is no page to capture: no response, an error status, a download, another host.
 */
export async function loadPage(open: OpenPage, options: LoadOptions): Promise<Response | null> {
  const end = Date.now() + options.timeout;
  let response: Response | null;
  try {
    response = await commit(open, options);
  } catch (error) {
    if (!(error instanceof Error) || !/net::ERR_|Download is starting|interrupted by another/.test(error.message)) {
      throw error;
    }
    if (error.message.includes('net::ERR_ABORTED')) await assertAlive(open);
    const isTunnel = error.message.includes('net::ERR_TUNNEL');
    const why = isTunnel ? await open.launched.whyUnreachable(options.url) : null;
    throw why === null
      ? notLoaded(error, options.url)
      : new CaptureError(why.message, { code: why.code, cause: error });
  }
  open.navigation.arrived();
  if (response !== null && response.status() >= 400) throw await failedAnswer(open, response);
  await awaitLoaded(open, options, end);
  return response;
}

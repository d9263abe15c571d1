import { errors } from 'playwright';
import type { Response } from 'playwright';
import { errorMessage } from '../errors.ts';
import { recognizeWall } from '../net/recognize-wall.ts';
import { CaptureError } from './browser.ts';
import type { CaptureRequest } from './browser.ts';
import { describeNavigationFailure, describeStatus } from './describe-failure.ts';
import type { OpenPage } from './open-page.ts';

export type LoadOptions = Pick<CaptureRequest, 'url' | 'waitStrategy' | 'waitTime' | 'timeout'>;

const seconds = (ms: number) => `${Number((ms / 1000).toFixed(1))} s`;

async function commit({ page, guard }: OpenPage, { url, timeout }: LoadOptions): Promise<Response | null> {
  try {
    return await guard.race(page.goto(url, { waitUntil: 'commit', timeout }));
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    if (error instanceof errors.TimeoutError) {
      throw new CaptureError(`The page did not respond within ${seconds(timeout)}`, { cause: error });
    }
    throw error;
  }
}

/** The body of a refusal tells whose it is. */
async function refusal(response: Response): Promise<CaptureError> {
  const status = response.status();
  const isRefused = [401, 403, 407].includes(status);
  const body = isRefused ? await response.body().catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
  const wall = isRefused ? recognizeWall({ status, headers: response.headers(), body }, response.url()) : null;
  return new CaptureError(describeStatus(status), { wall });
}

/** Waits for the event of the wait strategy. If it never occurs, the page is captured as it is, with a warning. */
async function awaitStrategy(open: OpenPage, options: LoadOptions, end: number): Promise<void> {
  const { page, guard, warnings } = open;
  try {
    await guard.race(page.waitForLoadState(options.waitStrategy, { timeout: Math.max(1, end - Date.now()) }));
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    const within = `within ${seconds(options.timeout)}, so it was captured as it was`;
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
 * @throws CaptureError when there is no page to capture: no response, an error status, a download, another host.
 */
export async function loadPage(open: OpenPage, options: LoadOptions): Promise<void> {
  const end = Date.now() + options.timeout;
  let response: Response | null;
  try {
    response = await commit(open, options);
  } catch (error) {
    if (!(error instanceof Error) || !/net::ERR_|Download is starting|interrupted by another/.test(error.message)) {
      throw error;
    }
    throw new CaptureError(describeNavigationFailure(errorMessage(error), options.url), { cause: error });
  }
  open.navigation.arrived();
  if (response !== null && response.status() >= 400) throw await refusal(response);
  await awaitLoaded(open, options, end);
}

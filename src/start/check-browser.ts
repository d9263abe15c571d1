import { launchBrowser } from '../capture/launch-browser.ts';
import type { Config } from '../config.ts';
import { AppError, messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';

const NO_SANDBOX =
  'Chromium cannot run its sandbox here: allow user namespaces to this user or container (README, Docker), ' +
  'set BROWSER_WS_ENDPOINT to a browser elsewhere, or, where only trusted sites are tested, start Pixelgate as root, ' +
  'which does without the sandbox.';

/** Playwright's words, with colours, its call log and advice to its own callers, as one sentence for the operator. */
export function explainLaunchFailure(message: string): string {
  if (/sandbox(ing)? failed|No usable sandbox/i.test(message)) return NO_SANDBOX;
  const [, logs = message] = message.split('Browser logs:');
  const said = logs
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  return `The browser was found, but does not start: ${said ?? 'it says nothing'}`;
}

/**
 * Starts the local browser once and ends it: one that cannot start would otherwise show minutes later, as captures that
 * fail one by one. A remote browser is not contacted: it may start later than we do.
 * @throws AppError with a sentence that says what to do.
 */
export async function checkBrowser(
  { chromiumPath, browserWsEndpoint }: Pick<Config, 'chromiumPath' | 'browserWsEndpoint'>,
  log: Logger,
): Promise<void> {
  if (browserWsEndpoint !== null) return;
  try {
    const { browser, engine } = await launchBrowser({ chromiumPath, browserWsEndpoint, proxyUrl: async () => null });
    await browser.close();
    log.info({ engine }, 'the browser starts');
  } catch (error) {
    log.debug({ err: error }, 'the browser does not start');
    throw new AppError('unavailable', explainLaunchFailure(messageOf(error)), { code: 'browser_unusable' });
  }
}

import { launchBrowser } from '../capture/browser/launch-browser.ts';
import { sweepProfiles } from '../capture/browser/sweep-profiles.ts';
import type { Config } from '../config.ts';
import { AppError, errorMessage } from '../errors.ts';
import type { Logger } from '../logger.ts';

const NO_SANDBOX =
  'Chromium cannot use its sandbox here. Allow user namespaces for this user or container (docs/operating.md, Docker), ' +
  'set BROWSER_WS_ENDPOINT to a remote browser, or, if you only test trusted sites, start Pixelgate as root, ' +
  'which runs Chromium without the sandbox.';

/**
 * Turns Playwright's message, which has colors, a call log and advice for programmers, into one sentence for the
 * operator.
 */
export function explainLaunchFailure(message: string): string {
  if (/sandbox(ing)? failed|No usable sandbox/i.test(message)) return NO_SANDBOX;
  const [, logs = message] = message.split('Browser logs:');
  const said = logs
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  return `The browser was found but did not start: ${said ?? 'no error message'}`;
}

/**
 * Removes what killed browsers left behind, then starts the local browser once and closes it. Otherwise a browser that
 * can't start would only be noticed minutes later, when captures fail. A remote browser is not contacted, because it
 * may start later than we do.
 * @throws AppError with a sentence that says what to do.
 */
export async function checkBrowser(
  { chromiumPath, browserWsEndpoint }: Pick<Config, 'chromiumPath' | 'browserWsEndpoint'>,
  log: Logger,
): Promise<void> {
  if (browserWsEndpoint !== null) return;
  const removed = await sweepProfiles();
  if (removed > 0) log.info({ profiles: removed }, 'removed what killed browsers left');
  try {
    const { browser, engine } = await launchBrowser({
      chromiumPath,
      browserWsEndpoint,
      proxyUrl: async () => null,
      whyUnreachable: async () => null,
      addresses: async () => [],
    });
    await browser.close();
    log.info({ engine }, 'the browser starts');
  } catch (error) {
    log.debug({ err: error }, 'the browser did not start');
    throw new AppError('unavailable', explainLaunchFailure(errorMessage(error)), { code: 'browser_unusable' });
  }
}

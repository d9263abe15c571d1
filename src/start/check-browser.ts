import { readFileSync } from 'node:fs';
import { launchBrowser } from '../capture/browser/launch-browser.ts';
import { sweepProfiles } from '../capture/browser/sweep-profiles.ts';
import type { Config } from '../config.ts';
import { errorMessage, orNull, unavailable } from '../errors.ts';
import type { Logger } from '../logger.ts';

/** What forbids the sandbox: a file of the kernel, the start of its content that means so, and what permits it. */
const FORBIDDEN = [
  ['/proc/sys/user/max_user_namespaces', '0', 'the host has user.max_user_namespaces=0: set it to 15000'],
  ['/proc/sys/kernel/unprivileged_userns_clone', '0', 'the host has kernel.unprivileged_userns_clone=0: set it to 1'],
  [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    '1',
    'the host has kernel.apparmor_restrict_unprivileged_userns=1: set it to 0, or give Chromium an AppArmor profile ' +
      'with the permission userns',
  ],
] as const;

const BY_SECCOMP =
  'the seccomp profile of this container refuses clone, clone3, setns or unshare with new user namespaces: ' +
  'start it with deploy/chromium-seccomp.json';

const UNPROTECTED =
  'Chromium runs without its sandbox, because Pixelgate runs as root: a page that breaks out of it has all of this host. ' +
  'Start Pixelgate as another user';

type ReadKernel = (file: string) => string | null;

const readKernel: ReadKernel = (file) => orNull(() => readFileSync(file, 'utf8'));

/** The permission that Chromium's sandbox lacks here, as far as the kernel tells. */
function findMissingPermission(read: ReadKernel): string {
  for (const [file, value, sentence] of FORBIDDEN) if (read(file)?.trim() === value) return sentence;
  return /^Seccomp:\s*2$/m.test(read('/proc/self/status') ?? '')
    ? BY_SECCOMP
    : 'this user may not make user namespaces';
}

/**
 * Turns Playwright's message, which has colors, a call log and advice for programmers, into one sentence for the
 * operator.
 */
export function explainLaunchFailure(message: string, read = readKernel): string {
  if (/sandbox(ing)? failed|No usable sandbox/i.test(message)) {
    return (
      `Chromium cannot use its sandbox: ${findMissingPermission(read)} (docs/operating.md, Docker). ` +
      'Or set BROWSER_WS_ENDPOINT to a browser elsewhere.'
    );
  }
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
    if (process.getuid?.() === 0) log.warn(UNPROTECTED);
  } catch (error) {
    log.debug({ err: error }, 'the browser did not start');
    throw unavailable(explainLaunchFailure(errorMessage(error)), 'browser_unusable');
  }
}

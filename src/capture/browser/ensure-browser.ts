import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Logger } from '../../logger.ts';
import { formatDuration } from '../../text/format.ts';
import { BrowserMissing, findBrowser } from './find-browser.ts';

const WHAT_TO_DO =
  'No browser was found and none could be installed. Install the package chromium-headless-shell or chromium with a font ' +
  'package, or run "npx playwright install --with-deps --only-shell chromium", or set CHROMIUM_PATH or BROWSER_WS_ENDPOINT.';

/**
 * Makes sure that there is a browser to launch, and installs one if possible. A remote browser is not
 * contacted, because it may start later than this service.
 * @throws BrowserMissing with one sentence that says what to do.
 */
export async function ensureBrowser(
  options: { chromiumPath: string | null; browserWsEndpoint: string | null },
  log: Logger,
): Promise<void> {
  if (options.browserWsEndpoint !== null) return;
  if ((await findBrowser(options.chromiumPath)) !== null) return;

  log.info('no browser found, trying the Playwright installer');
  if ((await installWithPlaywright(log)) && (await findBrowser(null)) !== null) return;

  if (await canUseApt()) {
    log.info('trying the distribution package of Chromium');
    if ((await installWithApt(log)) && (await findBrowser(null)) !== null) return;
  }
  throw new BrowserMissing(WHAT_TO_DO);
}

const TOTAL_MS = 10 * 60_000;
/**
 * The limit for a download that prints nothing. A working download prints something every few seconds; one from a
 * mirror that drops packets prints nothing for a long time.
 */
const SILENCE_MS = 60_000;
const CONNECTION_MS = 15_000;

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
}

/** Runs a program in its own process group and logs its output. True if it exits with 0 within the time limits. */
async function runLogged(command: string, args: string[], log: Logger): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const giveUp = (reason: string) => {
      log.warn({ command, args, reason }, 'browser installer stopped');
      kill(child);
    };
    const total = setTimeout(() => giveUp(`it took longer than ${formatDuration(TOTAL_MS / 1000, 'long')}`), TOTAL_MS);
    const silence = setTimeout(
      () => giveUp(`it printed nothing for ${formatDuration(SILENCE_MS / 1000, 'long')}`),
      SILENCE_MS,
    );
    const finish = (succeeded: boolean) => {
      clearTimeout(total);
      clearTimeout(silence);
      resolve(succeeded);
    };
    const logLines = (stream: Readable) =>
      createInterface({ input: stream }).on('line', (line) => {
        silence.refresh();
        if (line.trim() !== '') log.info({ line }, 'browser installer');
      });
    logLines(child.stdout);
    logLines(child.stderr);
    child.on('error', () => finish(false));
    child.on('close', (code) => finish(code === 0));
  });
}

/** Downloads Playwright's headless shell with Playwright's installer. */
async function installWithPlaywright(log: Logger): Promise<boolean> {
  const packageFile = createRequire(import.meta.url).resolve('playwright/package.json');
  const cli = path.join(path.dirname(packageFile), 'cli.js');
  const environment = `PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT=${CONNECTION_MS}`;
  return runLogged('env', [environment, process.execPath, cli, 'install', '--only-shell', 'chromium'], log);
}

/** True for root on Debian or a distribution derived from it. Only there may we install a package. */
async function canUseApt(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(release);
}

/** Installs the distribution's headless shell, or full Chromium if there is no such package. */
async function installWithApt(log: Logger): Promise<boolean> {
  const apt = (...args: string[]) =>
    runLogged('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=120', ...args], log);
  const install = (browser: string) => apt('install', '--yes', '--no-install-recommends', browser, 'fonts-liberation');
  // If the update fails for some sources, packages can still be installed from the others.
  await apt('update');
  return (await install('chromium-headless-shell')) || (await install('chromium'));
}

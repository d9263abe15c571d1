import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Logger } from '../logger.ts';

const TOTAL_MS = 10 * 60_000;
/**
 * A mirror that drops packets prints nothing for a long time. A working download prints something every few seconds.
 */
const SILENCE_MS = 60_000;
const CONNECTION_MS = 15_000;

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/** Runs a program in a process group of its own, its output logged. True when it ended with 0 within the bounds. */
async function runLogged(command: string, args: string[], log: Logger): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const giveUp = (reason: string) => {
      log.warn({ command, args, reason }, 'browser installer stopped');
      kill(child);
    };
    const total = setTimeout(() => giveUp(`it took longer than ${TOTAL_MS / 60_000} min`), TOTAL_MS);
    const silence = setTimeout(() => giveUp(`it printed nothing for ${SILENCE_MS / 1000} s`), SILENCE_MS);
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

/** Downloads Playwright's own headless shell with Playwright's own installer. */
export async function installWithPlaywright(log: Logger): Promise<boolean> {
  const packageFile = createRequire(import.meta.url).resolve('playwright/package.json');
  const cli = path.join(path.dirname(packageFile), 'cli.js');
  const environment = `PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT=${CONNECTION_MS}`;
  return runLogged('env', [environment, process.execPath, cli, 'install', '--only-shell', 'chromium'], log);
}

/** Debian and its derivatives, as root: only there may we install a package. */
export async function canUseApt(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(release);
}

/** Installs the distribution's headless shell, or its full Chromium where that package is unknown. */
export async function installWithApt(log: Logger): Promise<boolean> {
  const apt = (...args: string[]) =>
    runLogged('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=120', ...args], log);
  const install = (browser: string) => apt('install', '--yes', '--no-install-recommends', browser, 'fonts-liberation');
  // An update that fails for one source of many still leaves lists to install from.
  await apt('update');
  return (await install('chromium-headless-shell')) || (await install('chromium'));
}

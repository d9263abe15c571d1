import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { loadChromium } from './load-playwright.ts';

const run = promisify(execFile);

/** In order of preference. A headless shell takes half as long as full Chromium. */
const ON_PATH = ['chromium-headless-shell', 'chromium', 'google-chrome'];

const SHELL_NAMES = ['chrome-headless-shell', 'chrome-headless-shell.exe', 'headless_shell', 'headless_shell.exe'];

/** This long because a wrapper script may unpack files or warm up on its first start. */
const ANSWER_MS = 20_000;

/** The requested browser is missing. The message is one sentence for the operator. */
export class BrowserMissing extends Error {}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether the program starts at all. A downloaded browser may exist but lack its system libraries. */
async function answersVersion(file: string): Promise<boolean> {
  return run(file, ['--version'], { timeout: ANSWER_MS, killSignal: 'SIGKILL' }).then(
    () => true,
    () => false,
  );
}

async function listEntries(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

/**
 * Playwright reports where its full Chromium would be (`<browsers>/chromium-<revision>/<platform>/<binary>`). Its
 * headless shell of the same revision is in a directory next to that one. The name of its platform folder may differ,
 * so the folders are listed.
 */
async function playwrightShells(fullChromium: string): Promise<string[]> {
  const revision = path.basename(path.resolve(fullChromium, '../../..')).split('-').at(-1);
  const home = path.resolve(fullChromium, '../../../..', `chromium_headless_shell-${revision}`);
  const platforms = await listEntries(home);
  return platforms.flatMap((platform) => SHELL_NAMES.map((name) => path.join(home, platform, name)));
}

/**
 * Uses `command -v`, which searches the PATH that child processes get, because only config.ts may read the environment.
 */
async function programsOnPath(): Promise<string[]> {
  const script = 'for name in "$@"; do command -v -- "$name" || :; done';
  const { stdout } = await run('/bin/sh', ['-c', script, 'sh', ...ON_PATH]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter((line) => path.isAbsolute(line));
}

async function firstUsable(files: string[]): Promise<string | null> {
  for (const file of files) {
    if ((await isExecutable(file)) && (await answersVersion(file))) return file;
  }
  return null;
}

/**
 * The browser binary to launch. Null when there is none.
 * @throws BrowserMissing when `chromiumPath` (CHROMIUM_PATH) is set but does not run.
 */
export async function findBrowser(chromiumPath: string | null): Promise<string | null> {
  if (chromiumPath !== null) {
    if (!(await isExecutable(chromiumPath))) {
      throw new BrowserMissing(`CHROMIUM_PATH is ${chromiumPath}, which is not an executable file.`);
    }
    if (!(await answersVersion(chromiumPath))) {
      throw new BrowserMissing(`CHROMIUM_PATH is ${chromiumPath}, which does not start as a browser.`);
    }
    return chromiumPath;
  }
  const chromium = loadChromium();
  return (
    (await firstUsable(await playwrightShells(chromium.executablePath()))) ??
    (await firstUsable(await programsOnPath()))
  );
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright';
import { findBrowser } from '../../src/capture/browser/find-browser.ts';

/** A person with a browser. `complaints` collects what went wrong in their pages. A test expects it to be empty. */
export type Visitor = {
  page: Page;
  /** Console errors, uncaught exceptions, and scripts or styles that the content security policy blocked. */
  complaints: string[];
  /** Closes the visitor's browser contexts. */
  leave(): Promise<void>;
};

export type Visit = BrowserContextOptions & { /** Session token; without it nobody is signed in. */ token?: string };

/** A browser for the tests. The service may use a remote one. */
export async function openVisitorsBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: (await findBrowser(null)) ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-background-networking'],
  });
}

/** @param baseUrl the URL of the service, for relative URLs */
export async function visit(browser: Browser, baseUrl: string, { token, ...options }: Visit = {}): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: baseUrl, timezoneId: 'Europe/Berlin', ...options });
  if (token !== undefined) {
    await context.addCookies([
      { name: 'pixelgate_session', value: token, url: baseUrl, httpOnly: true, sameSite: 'Lax' },
    ]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Some tests expect a 4xx response, which Chromium also reports on the console.
    const isStatus = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isStatus) complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    complaints.push(`A ${dialog.type()} opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints, leave: async () => context.close() };
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

type AxeResults = { violations: { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] }[] };

async function runAxe(page: Page, options: object): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(await readFile(AXE, 'utf8'));
  const results = await page.evaluate<AxeResults>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`,
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** The problems that axe-core finds on the open page, one line per node. Not subject to the page's own policy. */
export async function axeViolations(page: Page): Promise<string[]> {
  return runAxe(page, {});
}

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Colors on their way to others have contrasts of their own. */
const TRANSITIONS_END =
  'Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished))';

/** In the light scheme all, and in the dark one those of the colors: it changes nothing else. Ends in the light scheme. */
export async function axeViolationsInBothSchemes(page: Page): Promise<string[]> {
  const light = await axeViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(TRANSITIONS_END);
  const dark = await runAxe(page, { runOnly: COLOR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((line) => `In the dark: ${line}`)];
}

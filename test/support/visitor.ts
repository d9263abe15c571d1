import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { findBrowser } from '../../src/capture/find-browser.ts';

/** A person at a browser. What their pages complained of is in `complaints`: a test expects it to be empty. */
export type Visitor = {
  page: Page;
  /** Console errors, uncaught exceptions, scripts or styles that the content security policy refused. */
  complaints: string[];
  /** The viewports, themes and settings of this visitor end with it. */
  leave(): Promise<void>;
};

export type Visit = BrowserContextOptions & { /** Session token; without it nobody is signed in. */ token?: string };

/** A browser of the tests' own: the service's may be a remote one. */
export async function openVisitorsBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: (await findBrowser(null)) ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-background-networking'],
  });
}

/** @param baseUrl of the service; relative addresses are on it */
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
    // That a page answers 4xx is what some tests are about; Chromium says it on the console as well.
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

/** What axe-core finds wrong with the open page, one line a node; run outside of the page's own security policy. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}

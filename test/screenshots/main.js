// `npm run screenshots`: takes the README's screenshots from the demo. Needs a browser, as the demo does.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { findBrowser } from '../../dist/capture/browser/find-browser.js';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const DEMO = path.join(HERE, '../../demo/main.js');

/** The link that signs a visitor in and opens the run's review. */
async function reviewLinkOf(demo) {
  for await (const line of createInterface({ input: demo.stdout })) {
    const [, address] = /^Review\s+(http\S+)/.exec(line) ?? [];
    if (address !== undefined) {
      demo.stdout.resume();
      return address;
    }
  }
  throw new Error('The demo ended before it named the address of its review');
}

async function take(page, name) {
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: path.join(HERE, `${name}.png`) });
  process.stdout.write(`${name}.png\n`);
}

/** Follows the same links as a person would, so a screenshot cannot show what nobody can reach. */
async function tour(context, reviewLink) {
  const page = await context.newPage();
  await page.goto(reviewLink);
  await take(page, 'run');
  await page.locator('[data-review]').first().click();
  await page.waitForURL(/\/results\//);
  await take(page, 'review');
  await page.keyboard.press('d');
  await take(page, 'review-differences');
  await page.locator('summary[aria-label=More]').click();
  await page.getByRole('link', { name: 'Baselines of this page' }).click();
  await page.waitForURL(/\/pages\//);
  await take(page, 'history');
  await page.goto('/');
  await take(page, 'dashboard');
}

const demo = spawn(process.execPath, [DEMO], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const reviewLink = await reviewLinkOf(demo);
  const executablePath = await findBrowser(null);
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  const context = await browser.newContext({
    baseURL: new URL(reviewLink).origin,
    viewport: { width: 1280, height: 800 },
    timezoneId: 'UTC',
  });
  await tour(context, reviewLink);
  await browser.close();
} finally {
  demo.kill('SIGINT');
}

import { createRequire } from 'node:module';
import type * as playwright from 'playwright';

/**
 * Playwright takes half a second to load and 100 MB, so a process that never opens a browser doesn't load it. `import`
 * takes half as long again: it looks for the names of the exports in 7 MB of JavaScript.
 */
export function loadChromium(): playwright.BrowserType {
  const { chromium }: typeof playwright = createRequire(import.meta.url)('playwright');
  return chromium;
}

/** Whether Playwright gave up waiting. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** Playwright takes a second to load and 100 MB, so a process that never opens a browser doesn't load it. */
export async function loadChromium() {
  const { chromium } = await import('playwright');
  return chromium;
}

/** Whether Playwright gave up waiting. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

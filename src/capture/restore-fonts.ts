import type { OpenPage } from './open-page.ts';

/** The fonts that Playwright sets on Linux, so that the headless shell and full Chromium lay out text alike. */
const LINUX_FAMILIES = {
  standard: 'Times New Roman',
  fixed: 'Monospace',
  serif: 'Times New Roman',
  sansSerif: 'Arial',
  cursive: 'Comic Sans MS',
  fantasy: 'Impact',
};

/**
 * Undoes what a screenshot does to the fonts of the page. Capturing beyond the viewport applies Chromium's preferences
 * again, with its own font families instead of Playwright's. The next layout would differ (measured: 886 px wide
 * instead of 889). A session can set font families only once, so this uses a new session.
 */
export async function restoreFonts({ page, guard, launched }: OpenPage): Promise<void> {
  if (!launched.onLinux) return;
  const session = await guard.race(page.context().newCDPSession(page));
  await guard.race(session.send('Page.setFontFamilies', { fontFamilies: LINUX_FAMILIES }));
}

import type { OpenPage } from './open-page.ts';

/** What Playwright sets on Linux, so that headless shell and full Chromium lay text out alike. */
const LINUX_FAMILIES = {
  standard: 'Times New Roman',
  fixed: 'Monospace',
  serif: 'Times New Roman',
  sansSerif: 'Arial',
  cursive: 'Comic Sans MS',
  fantasy: 'Impact',
};

/**
 * Undoes what a picture does to the page: capturing beyond the viewport applies Chromium's preferences anew, and
 * with them its own font families in place of Playwright's, so that the next layout would differ (measured: 886 px
 * wide where it was 889). A session may set them once, hence a new one.
 */
export async function restoreFonts({ page, guard, launched }: OpenPage): Promise<void> {
  if (!launched.onLinux) return;
  const session = await guard.race(page.context().newCDPSession(page));
  await guard.race(session.send('Page.setFontFamilies', { fontFamilies: LINUX_FAMILIES }));
}

import type { CDPSession } from 'playwright';
import type { SiteAnswers } from './browser/browser.ts';
import type { OpenPage } from './open-page.ts';

type Paused = { requestId: string; request: { url: string; method: string } };

async function answer(cdp: CDPSession, site: SiteAnswers, { requestId, request }: Paused): Promise<void> {
  const { status, headers, body } = await site.answer(request.method, request.url);
  const fulfilled = cdp.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: body.toString('base64'),
  });
  // The page may have gone, and the request with it.
  await fulfilled.catch(() => undefined);
}

/**
 * Answers the requests of the page, its frames and its workers to one origin, in place of its server. Only what shared
 * workers and WebSockets send reaches that: CDP does not pause it. Other requests are not seen. A session of its own, because what others intercept must stay intercepted.
 */
export async function answerRequests({ page, guard }: OpenPage, site: SiteAnswers): Promise<void> {
  // What is answered here counts as public, so Chromium asks before it lets the page reach private hosts. Which addresses
  // may be reached is for the filtering proxy to say.
  await guard.race(page.context().grantPermissions(['local-network-access'], { origin: site.origin }));
  const cdp = await guard.race(page.context().newCDPSession(page));
  cdp.on('Fetch.requestPaused', (paused) => {
    answer(cdp, site, paused).catch((error: unknown) => {
      guard.fail(error instanceof Error ? error : new Error('A request could not be answered', { cause: error }));
    });
  });
  await guard.race(cdp.send('Fetch.enable', { patterns: [{ urlPattern: `${site.origin}/*` }] }));
}

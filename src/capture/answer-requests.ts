import type { CDPSession } from 'playwright';
import type { SiteAnswer, SiteAnswers } from './browser/capture-request.ts';
import type { Guard } from './guard.ts';
import type { OpenPage } from './open-page.ts';

type Paused = { requestId: string; request: { url: string; method: string } };

/** What `Fetch.fulfillRequest` takes. */
export function toFulfillment(requestId: string, { status, headers, body }: SiteAnswer) {
  const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return { requestId, responseCode: status, responseHeaders, body: body.toString('base64') };
}

/** A page can't be captured without an answer of ours. */
export function failUnanswered(guard: Guard, error: unknown): void {
  guard.fail(error instanceof Error ? error : new Error('A request could not be answered', { cause: error }));
}

async function answer(cdp: CDPSession, site: SiteAnswers, { requestId, request }: Paused): Promise<void> {
  const answered = await site.answer(request.method, request.url);
  const fulfilled = cdp.send('Fetch.fulfillRequest', toFulfillment(requestId, answered));
  // The page may be gone, and the request with it.
  await fulfilled.catch(() => undefined);
}

/**
 * Answers the requests of the page, its frames and its workers to one origin, in place of its server. Only requests of
 * shared workers and WebSockets reach the server, because CDP does not pause them. Requests to other origins are not
 * intercepted. It uses its own session, so that other interceptions stay in place.
 */
export async function answerRequests({ page, guard }: OpenPage, site: SiteAnswers): Promise<void> {
  // Pages that are answered here count as public, so Chromium asks before it lets them reach private hosts. The
  // filtering proxy decides which addresses may be reached.
  await guard.race(page.context().grantPermissions(['local-network-access'], { origin: site.origin }));
  const cdp = await guard.race(page.context().newCDPSession(page));
  cdp.on('Fetch.requestPaused', (paused) => {
    answer(cdp, site, paused).catch((error: unknown) => failUnanswered(guard, error));
  });
  await guard.race(cdp.send('Fetch.enable', { patterns: [{ urlPattern: `${site.origin}/*` }] }));
}

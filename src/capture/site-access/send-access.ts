import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright';
import { isSentTo, ownOrigins, type SentAccess } from '../../net/sent-access.ts';
import { portOf } from '../../text/parse-url.ts';
import type { Guard } from '../guard.ts';

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** The options that can only be set when a context is created. */
export function toStorageState(access: SentAccess): StorageState {
  const { localStorage } = access;
  const origins = localStorage.length === 0 ? [] : ownOrigins(access);
  return { cookies: [], origins: origins.map(({ origin }) => ({ origin, localStorage })) };
}

/** Cookies of this one host, without its subdomains, and of this port: see `launch-browser.ts`. */
async function setCookies(cdp: CDPSession, access: SentAccess): Promise<void> {
  for (const own of ownOrigins(access)) {
    const secure = own.protocol === 'https:';
    for (const { sameSite, ...cookie } of access.cookies) {
      const setting = cdp.send('Network.setCookie', {
        ...cookie,
        url: own.origin,
        secure,
        // Without `Secure`, browsers refuse the other value.
        sameSite: sameSite === 'None' && !secure ? 'Lax' : sameSite,
        sourceScheme: secure ? 'Secure' : 'NonSecure',
        sourcePort: portOf(own),
      });
      // The browser refuses some, such as `__Host-` without https. Then the wall remains and is reported.
      await setting.catch(() => undefined);
    }
  }
}

type Paused = {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: { url: string; headers: Record<string, string> };
};

/**
 * The headers for the request. Null: unchanged. If a request to another origin carries our header, it came with a
 * redirect and is removed. Requests of another origin's frame to the site don't get it, because it would turn a simple
 * request into one that needs a preflight.
 */
export function headersFor(
  access: SentAccess,
  { request, isFromSite }: { request: Paused['request']; isFromSite: boolean },
): { name: string; value: string }[] | null {
  const own = new Map(access.headers.map(({ name, value }) => [name, value]));
  const isOurs = ([name, value]: [string, string]) => own.get(name.toLowerCase()) === value;
  const present = Object.entries(request.headers);
  if (!isSentTo(access, request.url) || !isFromSite) {
    if (!present.some(isOurs)) return null;
    return present.filter((header) => !isOurs(header)).map(([name, value]) => ({ name, value }));
  }
  // The page's own headers are kept, because its requests may have their own credentials.
  const names = new Set(present.map(([name]) => name.toLowerCase()));
  const added = access.headers.filter(({ name }) => !names.has(name));
  return [...present.map(([name, value]) => ({ name, value })), ...added];
}

/** An `about:blank` or `srcdoc` frame has the origin of the document that made it. */
function followFrames(cdp: CDPSession): ReadonlyMap<string, string> {
  const origins = new Map<string, string>();
  cdp.on('Page.frameNavigated', ({ frame }) => {
    const inherited = frame.parentId === undefined ? undefined : origins.get(frame.parentId);
    const origin = frame.securityOrigin === '://' ? inherited : frame.securityOrigin;
    if (origin !== undefined) origins.set(frame.id, origin);
  });
  return origins;
}

/**
 * Sets the cookies, and sends the headers with the page's requests to the site's own origin and to no other, hop by hop.
 * Playwright's `extraHTTPHeaders` would go everywhere, and its routes switch off the cache. Without headers nothing is
 * intercepted: cookies alone cost nothing.
 */
export async function sendAccess(context: BrowserContext, page: Page, access: SentAccess, guard: Guard): Promise<void> {
  const cdp = await guard.race(context.newCDPSession(page));
  await guard.race(setCookies(cdp, access));
  if (access.headers.length === 0) return;
  const origins = followFrames(cdp);
  cdp.on('Fetch.requestPaused', (paused) => {
    const { requestId, request, resourceType, frameId } = paused;
    const frame = origins.get(frameId);
    const isFromSite = resourceType === 'Document' || (frame !== undefined && isSentTo(access, frame));
    const headers = headersFor(access, { request, isFromSite });
    cdp.send('Fetch.continueRequest', { requestId, ...(headers === null ? {} : { headers }) }).catch(() => undefined);
  });
  await guard.race(
    Promise.all([cdp.send('Page.enable'), cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })]),
  );
}

import type { CDPSession } from 'playwright';
import { GLOBS_SOURCE, matchesGlobs } from '../../text/globs.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { Guard } from '../guard.ts';

/** A port to which nothing connects and for which no name is looked up. */
const UNSAFE_PORT_URL = 'ws://127.0.0.1:1';

/** Replaces everything from the first brace to the last by a star. */
function withoutBraces(glob: string): string {
  const [open, close] = [glob.indexOf('{'), glob.lastIndexOf('}')];
  return open === -1 || close < open ? glob : `${glob.slice(0, open)}*${glob.slice(close + 1)}`;
}

/** Patterns of all URLs that may match, with braces as a star. Each request is then checked against the globs. */
function urlPatterns(globs: readonly string[]): string[] {
  return globs
    .filter((glob) => !glob.startsWith('!'))
    .map((glob) => withoutBraces(glob).replaceAll('\\', ''))
    .flatMap((host) => [`*://${host}/*`, `*://${host}:*/*`]);
}

export function isBlocked(globs: readonly string[], url: string): boolean {
  const parsed = parseUrl(url);
  return parsed !== null && matchesGlobs(globs, parsed.hostname);
}

/**
 * The browser does not let WebSockets be intercepted, so one to a blocked host is redirected to a place where it fails
 * at once.
 */
function socketScript(globs: readonly string[]): string {
  return `(() => {
    ${GLOBS_SOURCE}
    const globs = ${JSON.stringify(globs)};
    globalThis.WebSocket = new Proxy(WebSocket, {
      construct(target, [address, ...rest], newTarget) {
        const url = URL.parse(address, document.baseURI);
        const isBlocked = url !== null && matchesGlobs(globs, url.hostname);
        return Reflect.construct(target, [isBlocked ? ${JSON.stringify(UNSAFE_PORT_URL)} : address, ...rest], newTarget);
      },
    });
  })()`;
}

/** Requests of the page and its frames to hosts that match the globs fail before the host's name is looked up. */
export async function blockHosts(cdp: CDPSession, guard: Guard, globs: readonly string[]): Promise<void> {
  if (globs.length === 0) return;
  cdp.on('Fetch.requestPaused', ({ requestId, request }) => {
    const answer = isBlocked(globs, request.url)
      ? cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
      : cdp.send('Fetch.continueRequest', { requestId });
    answer.catch(() => undefined);
  });
  await guard.race(
    Promise.all([
      cdp.send('Fetch.enable', { patterns: urlPatterns(globs).map((urlPattern) => ({ urlPattern })) }),
      cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: socketScript(globs) }),
    ]),
  );
}

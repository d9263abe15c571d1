import type { CDPSession, Response } from 'playwright';
import { createSignal } from '../../async/signal.ts';
import { isLoginPath, wallAt } from '../../net/recognize-wall.ts';
import { isBelow } from '../../net/site-base.ts';
import { parseUrl, tellAddress } from '../../text/parse-url.ts';
import { CaptureError } from '../browser/browser.ts';
import type { CaptureRequest } from '../browser/capture-request.ts';
import type { Listener } from '../guard.ts';

/** The document that was loaded first, and which one it was (as `documents`). */
type FirstDocument = { response: Response | null; number: number };

/** The navigations of the page's main frame. */
export type Navigation = {
  /** Determines which frame is the main one. */
  mainFrame(id: string): void;
  /** The first document has loaded. Later navigations are the page's own. */
  arrived(): void;
  /** The page has loaded, with this response to the request. */
  loaded(response: Response | null): void;
  first(): FirstDocument;
  /** The number of documents so far. */
  documents(): number;
  /** Resolves when none of the page's own navigations is in progress. */
  settled(): Promise<void>;
  /** Resolves when the next document replaces this one. */
  replaced(): Promise<void>;
  /** Another page follows. */
  restart(request: Subject): void;
};

type Subject = Pick<CaptureRequest, 'url' | 'preview'>;

/** Seconds. A refresh with a longer delay belongs to the page (such as a dashboard) and is not a redirect. */
const REDIRECT_DELAY = 1;
/** The same for a refresh that leads to another page of the site, such as one that tells that it has moved. */
export const MOVED_DELAY = 5;

/** Why a page that navigated to this address is not the requested one. Null: it may be. */
function findStrayed(address: string, { url, preview }: Subject): CaptureError | null {
  const landed = parseUrl(address);
  if (landed === null) return null;
  const { host, pathname } = landed;
  if (host !== new URL(url).host) {
    // Such as about:blank.
    const where = host === '' ? '' : 'another host: ';
    const message = `The page redirected to ${where}${tellAddress(address)}`;
    return new CaptureError(message, { wall: wallAt(address), address });
  }
  if (preview === null || isBelow(preview.base, address)) return null;
  const base = preview.base.origin + preview.base.path;
  const wall = isLoginPath(pathname) ? 'login' : null;
  const message = `The page redirected to ${tellAddress(address)}, which is outside of the preview at ${base}`;
  return new CaptureError(message, { wall, address });
}

/** Why this document is not the requested page. Null: it may be. */
function findProblem(
  { url, unreachableUrl }: { url: string; unreachableUrl?: string },
  hasArrived: boolean,
  subject: Subject,
): CaptureError | null {
  if (unreachableUrl === undefined) return findStrayed(url, subject);
  if (!hasArrived) return null;
  return new CaptureError(`The page redirected to ${tellAddress(unreachableUrl)}, which did not load`);
}

/** The navigations of the page's own that are in progress or due soon. */
function watchOwn(cdp: CDPSession, isMain: (frameId: string) => boolean, leadsOn: (address: string) => boolean) {
  let pending = false;
  let redirects = false;
  /** It was sent, and has not ended. */
  let begun = false;
  /** By a refresh that is slower than a redirect. Only the first is followed. */
  let [moves, hasMoved] = [false, false];
  const settled = createSignal();
  const settle = () => {
    pending = false;
    settled.give();
  };
  cdp.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
    if (isMain(frameId) && disposition === 'currentTab') pending = begun = true;
  });
  cdp.on('Page.frameScheduledNavigation', ({ frameId, delay, url }) => {
    if (!isMain(frameId) || delay > MOVED_DELAY) return;
    if (delay > REDIRECT_DELAY) {
      if (hasMoved || !leadsOn(url)) return;
      moves = true;
    }
    redirects = true;
    pending = true;
  });
  cdp.on('Page.frameClearedScheduledNavigation', ({ frameId }) => {
    if (!isMain(frameId)) return;
    redirects = false;
    // Addresses such as `javascript:` and `mailto:` load nothing.
    if (!begun) settle();
  });
  cdp.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (!isMain(frameId)) return;
    begun = false;
    // The delay of a redirect begins when the document has loaded.
    if (!redirects) settle();
  });
  return {
    /** At the next document. */
    arrived() {
      hasMoved ||= moves;
      redirects = begun = moves = false;
      settle();
    },
    settled: async () => (pending ? settled.wait() : undefined),
    restart() {
      hasMoved = false;
    },
  };
}

/**
 * The guard fails if the page leaves the host of `url`, or the preview, or redirects to something that can't be loaded.
 */
export function watchNavigation(cdp: CDPSession, request: Subject, listener: Pick<Listener, 'guard'>): Navigation {
  let subject = request;
  let main: string | null = null;
  let hasArrived = false;
  let documents = 0;
  let shown = '';
  let first: FirstDocument = { response: null, number: 0 };
  const replaced = createSignal();
  const leadsOn = (address: string) => address.split('#')[0] !== shown && findStrayed(address, subject) === null;
  const own = watchOwn(cdp, (frameId) => frameId === main, leadsOn);

  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return;
    documents += 1;
    shown = frame.url;
    replaced.give();
    own.arrived();
    const problem = findProblem(frame, hasArrived, subject);
    if (problem !== null) listener.guard.fail(problem);
  });

  return {
    mainFrame(id) {
      main = id;
    },
    arrived() {
      hasArrived = true;
    },
    loaded(response) {
      first = { response, number: documents };
    },
    first: () => first,
    documents: () => documents,
    settled: own.settled,
    replaced: replaced.wait,
    restart(next) {
      subject = next;
      hasArrived = false;
      own.restart();
      first = { response: null, number: 0 };
    },
  };
}

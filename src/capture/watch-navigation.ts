import type { CDPSession, Response } from 'playwright';
import { isLoginPath, wallAt } from '../net/recognize-wall.ts';
import { isBelow } from '../net/site-base.ts';
import { parseUrl } from '../text/parse-url.ts';
import { CaptureError, type CaptureRequest } from './browser/browser.ts';
import type { Listener } from './guard.ts';

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

/** Why a page that navigated there is not the requested one. Null: it may be. */
function findStrayed(address: string, { url, preview }: Subject): CaptureError | null {
  const landed = parseUrl(address);
  if (landed === null) return null;
  const { host, pathname } = landed;
  if (host !== new URL(url).host) {
    return new CaptureError(`The page redirected to another host: ${address}`, { wall: wallAt(address) });
  }
  if (preview === null || isBelow(preview.base, address)) return null;
  const base = preview.base.origin + preview.base.path;
  const wall = isLoginPath(pathname) ? 'login' : null;
  return new CaptureError(`The page redirected to ${address}, which is outside of the preview at ${base}`, {
    wall,
    address,
  });
}

/**
 * The guard fails if the page leaves the host of `url`, or the preview, or redirects to something that can't be loaded.
 */
export function watchNavigation(cdp: CDPSession, request: Subject, listener: Pick<Listener, 'guard'>): Navigation {
  let subject = request;
  let main: string | null = null;
  let hasArrived = false;
  let documents = 0;
  let first: FirstDocument = { response: null, number: 0 };
  let pending = false;
  let waiting: (() => void)[] = [];
  let awaitingDocument: (() => void)[] = [];

  const settle = () => {
    pending = false;
    for (const resume of waiting) resume();
    waiting = [];
  };

  cdp.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
    if (frameId === main && disposition === 'currentTab') pending = true;
  });
  cdp.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
    if (frameId === main && delay <= REDIRECT_DELAY) pending = true;
  });
  cdp.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId === main) settle();
  });
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return;
    documents += 1;
    for (const resume of awaitingDocument) resume();
    awaitingDocument = [];
    settle();
    if (frame.unreachableUrl !== undefined) {
      if (hasArrived)
        listener.guard.fail(new CaptureError(`The page redirected to ${frame.unreachableUrl}, which did not load`));
    } else {
      const strayed = findStrayed(frame.url, subject);
      if (strayed !== null) listener.guard.fail(strayed);
    }
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
    async settled() {
      if (!pending) return;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    },
    async replaced() {
      await new Promise<void>((resolve) => {
        awaitingDocument.push(resolve);
      });
    },
    restart(next) {
      subject = next;
      hasArrived = false;
      first = { response: null, number: 0 };
    },
  };
}

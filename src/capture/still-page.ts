import { unlessLate } from '../async/time-limit.ts';
import { evaluateInPage } from './evaluate-in-page.ts';
import type { OpenPage } from './open-page.ts';

/*
 * A page in which nothing can change any more is at rest at once. That is proven for pages without any script, by the
 * bytes of the document, because in HTML a script element or a handler has to be spelled out.
 */

/** Encodings in which ASCII letters have other bytes. */
const NOT_ASCII = /utf-16|iso-2022/i;
const ESCAPE = 0x1b;

/** A shadow root may hide any element, and rules may click a link. */
const MAY_RUN_SCRIPT = /<script|[\s"'/]on[a-z]+\s*=|shadowrootmode|javascript\s*[:&]/i;

/** Whether a document can neither run scripts nor be replaced because of its headers. */
export function isPlainDocument(headers: Record<string, string>, body: Buffer): boolean {
  const type = headers['content-type'] ?? '';
  if (!/^text\/html\b/i.test(type) || NOT_ASCII.test(type) || headers['refresh'] !== undefined) return false;
  // A byte order mark takes precedence over the header.
  const isUtf16 = body[0] === 0xfe || body[0] === 0xff;
  return !isUtf16 && !body.includes(ESCAPE) && !MAY_RUN_SCRIPT.test(body.toString('latin1'));
}

/** Elements that run, play, move or show another document. For a page with scripts, this need not be read. */
const LIVELY = 'script, iframe, frame, object, embed, video, audio, marquee, meta[http-equiv=refresh i]';
/** The browser may draw an ended animation for one more frame. */
const IS_QUIET = `document.readyState === 'complete' && globalThis.pixelgateMoved !== true && document.querySelector(${JSON.stringify(LIVELY)}) === null
  && [...document.images].every((image) => image.complete)`;

/** A document that is still being sent is not still. ms */
const BODY_MS = 2000;

/**
 * Whether nothing can change a page that was stabilized.
 * @param condition what has to hold in the page besides
 * @throws DocumentReplaced when the page navigated.
 */
export async function isStill(open: OpenPage, condition = 'true'): Promise<boolean> {
  const { page, requests, navigation, guard } = open;
  const { response, number } = navigation.first();
  if (response === null || requests.hasOpen() || page.frames().length > 1) return false;
  if ((await evaluateInPage(open, `${IS_QUIET} && (${condition})`, 0)) !== true) return false;
  const body = await guard.race(unlessLate(BODY_MS, requests.body(response)));
  if (body === null || !isPlainDocument(response.headers(), body)) return false;
  return !requests.hasOpen() && navigation.documents() === number;
}

/** What a page shows at a size may depend on the size at which it was loaded. */
const KEEPS_SIZE = /srcset|autofocus|(?:accept|critical|delegate)-ch/i;

/** Nothing in the page was scrolled when it was laid out, which may happen at one size and not at another. */
const IS_UNSCROLLED = `[...document.querySelectorAll('*')].every(({ scrollTop, scrollLeft }) => scrollTop === 0 && scrollLeft === 0)`;

/** Whether a page is still and would look the same if it were loaded at its next size. @throws DocumentReplaced */
export async function mayBeResized(open: OpenPage): Promise<boolean> {
  const { response } = open.navigation.first();
  if (response === null || !(await isStill(open, IS_UNSCROLLED))) return false;
  const headers = JSON.stringify(response.headers());
  const text = (await open.requests.body(response)).toString('latin1');
  return !KEEPS_SIZE.test(headers) && !KEEPS_SIZE.test(text);
}

import type { OpenPage } from './open-page.ts';
import { isServedTwice } from './served/served-twice.ts';
import {
  confirmEarly,
  proveEarly,
  takeEarlyShot,
  takeShotAgain,
  takeShotAtRest,
  type Seen,
  type Shot,
  type TimedRequest,
} from './take-shot.ts';

const SCREENSHOT_LIMIT = 5;
/** The maximum number for a page that is known to move. */
const MOVING_LIMIT = 4;
/** How many screenshots of a changing page must be equal in a row, because a cyclic motion may look the same once. */
const SAME_AGAIN = 2;

/** The screenshots of one context. */
export type Settled = {
  shot: Shot;
  /** Why no more were taken. `wanted`: no other load has to confirm it. */
  by: 'wanted' | 'repetition' | 'nothing';
  /** How many of them count for stability. */
  hashes: string[];
  early: Shot | null;
};

export type Search = {
  /** The hash of a screenshot that ends the search. */
  wanted: string[];
  /** Hashes of the page at rest: if it looks like one of them, it is at rest. */
  known: string[];
  /** Look at the page before it is at rest. */
  early: boolean;
  /** No other context follows, whatever the result. */
  last: boolean;
  /** Stop the page's clock. */
  still: boolean;
  /** A still page needs no second load if the server returns the same twice. */
  proves: boolean;
  /** One screenshot at rest is enough: another load has to show the same, or to show more than one. */
  once: boolean;
};

/**
 * Takes screenshots of the page at rest until one has a wanted hash, two in a row are identical, or the limit is
 * reached.
 */
export async function takeSettledShot(open: OpenPage, request: TimedRequest, search: Search): Promise<Settled> {
  const hashes: string[] = [];
  let early: Shot | null = null;
  let seen: Seen | null = null;
  let proven: Shot | null = null;
  const looks = search.early && (request.baseline !== null || search.known.length > 0);
  if (looks) {
    const taken = await takeEarlyShot(open, request);
    const { shot } = taken;
    const confirmed = search.known.includes(shot.sha256) ? await confirmEarly(open, request, taken) : null;
    if (confirmed !== null) return { shot: confirmed, by: 'wanted', hashes: [shot.sha256], early };
    // The early look of a page without a baseline is unknown.
    if (request.baseline !== null) hashes.push(shot.sha256);
    if (request.baseline?.atRest === false) early = shot;
    seen = taken.seen;
    proven = await proveEarly(open, request, taken);
    await open.guard.step();
  }
  const isWanted = ({ sha256 }: Shot) => search.wanted.includes(sha256);
  const believed = (shot: Shot) =>
    shot.moves && search.known.includes(shot.sha256) ? { ...shot, unrest: null } : shot;
  let last = proven ?? (await takeShotAtRest(open, request, seen));
  if (proven === null || hashes.length === 0) hashes.push(last.sha256);
  if (isWanted(last)) return { shot: believed(last), by: 'wanted', hashes, early };
  if (last.isStill ? !search.last : search.once && last.unrest === null && !last.live) {
    const by = last.isStill && search.proves && (await isServedTwice(open)) ? 'wanted' : 'repetition';
    return { shot: last, by, hashes, early };
  }
  const limit = last.moves ? MOVING_LIMIT : SCREENSHOT_LIMIT;
  let same = 0;
  for (let taken = 1; taken < limit; taken += 1) {
    await open.guard.step();
    const next = await takeShotAgain(open, request, last);
    hashes.push(next.sha256);
    if (isWanted(next)) return { shot: believed(next), by: 'wanted', hashes, early };
    const isSame = next.sha256 === last.sha256;
    if (isSame && !last.moves) return { shot: next, by: 'repetition', hashes, early };
    // It has changed in between, but not visibly.
    if (isSame && next.changes > last.changes) same += 1;
    if (same === SAME_AGAIN) {
      return { shot: { ...next, unrest: null }, by: 'repetition', hashes, early };
    }
    if (last.moves && !isSame) return { shot: next, by: 'nothing', hashes, early };
    last = next;
  }
  return { shot: last, by: 'nothing', hashes, early };
}

import { z } from 'zod';
import type { Run } from '../runs/run.ts';
import { isInFlight } from '../runs/run.ts';

/** What an open page is told about asking again; see `views/partials/poll.hbs`. */
export type Poll = { href: string; seconds: number };

/** Seconds since a run last moved, and how often a list asks for it until then: the longer it lasts, the less often. */
const LIST_PACES: [until: number, every: number][] = [
  [60, 2],
  [600, 5],
  [1800, 15],
];
const SLOWEST_LIST = 60;

function listPace(run: Pick<Run, 'updatedAt'>, now: Date): number {
  const seconds = (now.getTime() - run.updatedAt.getTime()) / 1000;
  return LIST_PACES.find(([until]) => seconds < until)?.[1] ?? SLOWEST_LIST;
}

/** Null once nothing is in flight: the page then stops polling. */
export function pollOf(runs: Pick<Run, 'status' | 'updatedAt'>[], href: string, now: Date): Poll | null {
  const paces = runs.filter((run) => isInFlight(run.status)).map((run) => listPace(run, now));
  return paces.length === 0 ? null : { href, seconds: Math.min(...paces) };
}

type Pace = { soonest: number; latest: number };

/** Seconds between two polls of one run. While nothing changes, each wait is a second longer than the last. */
export const RESULTS_PACE: Pace = { soonest: 1, latest: 5 };
export const LOG_PACE: Pace = { soonest: 2, latest: 8 };

/** The wait before this look, as the open page's query says. */
export function waitParam({ soonest, latest }: Pace) {
  return z.coerce.number().int().min(soonest).max(latest).catch(soonest);
}

/** @param wait before this look */
export function nextWait({ soonest, latest }: Pace, wait: number, hasNews: boolean): number {
  return hasNews ? soonest : Math.min(latest, wait + 1);
}

/** Seconds until a page asks again for a result that is still to come. */
export const RESULT_WAIT = 3;

/** Some hours of polling every half minute: a tab that was forgotten stops. */
const MAX_CRAWL_LOOKS = 500;

/**
 * Seconds until the next look at a crawl, which grow so that a long crawl is not asked about each second. Null: no more.
 * @param looks how often the open page has looked already
 */
export function crawlWait(looks: number): number | null {
  return looks >= MAX_CRAWL_LOOKS ? null : Math.min(30, Math.round(2 * 1.4 ** looks));
}

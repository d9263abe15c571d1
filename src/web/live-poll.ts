import { isInFlight, type Run } from '../runs/run.ts';
import { typedNumber } from '../text/typed-number.ts';

/** The polling settings of an open page; see `views/partials/poll.hbs`. */
export type Poll = { href: string; seconds: number };

/** Seconds since a run last changed, and the interval at which a list polls for it until then. The interval grows. */
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

/** Null when no run is in flight. The page then stops polling. */
export function pollRuns(runs: Pick<Run, 'status' | 'updatedAt'>[], href: string, now: Date): Poll | null {
  const paces = runs.filter((run) => isInFlight(run.status)).map((run) => listPace(run, now));
  return paces.length === 0 ? null : { href, seconds: Math.min(...paces) };
}

type Pace = { soonest: number; latest: number };

/** Seconds between two polls of one run. While nothing changes, each wait is a second longer than the last. */
export const RESULTS_PACE: Pace = { soonest: 1, latest: 5 };
/** How often an open review polls for decisions of others. */
export const NEWS_PACE: Pace = { soonest: 3, latest: 15 };
export const LOG_PACE: Pace = { soonest: 2, latest: 8 };

/** The wait before this poll, from the query of the open page. */
export function waitParam({ soonest, latest }: Pace) {
  return typedNumber(soonest, latest).catch(soonest);
}

/** @param wait the wait before this poll */
export function nextWait({ soonest, latest }: Pace, wait: number, hasNews: boolean): number {
  return hasNews ? soonest : Math.min(latest, wait + 1);
}

/** Seconds until a page polls again for a pending result. */
export const RESULT_WAIT = 3;

/**
 * Seconds until the next poll of what takes long. They grow from the first, up to half a minute. Null: stop polling.
 * @param looks how often the open page has polled already
 */
function growingWait(looks: number, { first, growth, most }: { first: number; growth: number; most: number }) {
  return looks >= most ? null : Math.min(30, Math.round(first * growth ** looks));
}

/** Of a crawl: for some hours. After that, a forgotten tab stops. */
export const crawlWait = (looks: number): number | null => growingWait(looks, { first: 2, growth: 1.4, most: 500 });

/** Of what a first check needs: for half an hour. Each poll asks GitHub about ten questions. */
export const setupWait = (looks: number): number | null => growingWait(looks, { first: 5, growth: 1.3, most: 60 });

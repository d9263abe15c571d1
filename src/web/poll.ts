import type { Run } from '../runs/run.ts';
import { isInFlight } from '../runs/run.ts';

/** What an open page is told about asking again; see `views/partials/poll.hbs`. */
export type Poll = { href: string; seconds: number };

/** Seconds since a run last moved, and how often to look at it until then: who waits for long, waits calmly. */
const PACES: [until: number, every: number][] = [
  [60, 2],
  [600, 5],
  [1800, 15],
];
const SLOWEST = 60;

function paceOf(run: Pick<Run, 'updatedAt'>, now: Date): number {
  const seconds = (now.getTime() - run.updatedAt.getTime()) / 1000;
  return PACES.find(([until]) => seconds < until)?.[1] ?? SLOWEST;
}

/** Null once nothing is in flight any more: the page that is told so stops asking. */
export function pollOf(runs: Pick<Run, 'status' | 'updatedAt'>[], href: string, now: Date): Poll | null {
  const paces = runs.filter((run) => isInFlight(run.status)).map((run) => paceOf(run, now));
  return paces.length === 0 ? null : { href, seconds: Math.min(...paces) };
}

import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readLogPart } from '../../runs/read-log-part.ts';
import { getRunFor } from '../../runs/read-run.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { RunOverview } from '../../review/read-run-overview.ts';
import { readRunOverview } from '../../review/read-run-overview.ts';
import type { ReviewFilter } from '../../review/review-row.ts';
import { isInFlight } from '../../runs/run.ts';
import { redirect } from '../reply.ts';
import type { Badge } from '../badge.ts';
import { SECTION_BADGES } from '../badge.ts';
import { Id } from '../form-values.ts';
import { withQuery } from '../pager.ts';
import { nextWait, RESULTS_PACE, waitParam } from '../poll.ts';
import { pageRoute } from '../route.ts';
import { SECTION_NAMES } from './result-group.ts';
import { ResultFilter, filterQuery, resultPath, runPath } from './result-filter.ts';
import { waitingOf } from './waiting.ts';

/** Results that have just been settled, as the first look at a run in flight shows them. */
const SHOWN_AT_FIRST = 30;
/** A look brings that many at most; the next one the others. */
const AT_ONCE = 100;
/** Of the lines that say how a result came out. */
const TYPES = ['SUCCESS', 'INFO', 'ERROR'] as const;

type Seen = { after?: string | undefined; settled: number; wait: number };

type Arrival = {
  badge: Badge;
  path: string;
  viewport: string;
  diff: number | null;
  error: string | null;
  href: string;
};

/** What the partial `run-progress` prints, and the results that came since the last look. */
export type Live = {
  /** Address of the next look, and in how many seconds. */
  next: string;
  wait: number;
  phase: string;
  settled: number;
  total: number;
  /** Of the progress bar, which takes no 0. */
  limit: number;
  percent: number;
  secondsLeft: number | null;
  found: { id: string; href: string; count: number; name: string; tone: Badge['tone'] }[];
  arrivals: Arrival[];
  /** Told to screen readers when it changes: at every quarter. */
  said: string;
};

const Settled = z.object({
  resultId: z.uuid().optional(),
  path: z.string(),
  viewport: z.string(),
  status: z.enum(['PASS', 'FAIL', 'ERROR']),
  diffScore: z.number().nullish(),
});

async function arrivalsSince(ctx: Context, run: RunFor, seen: Seen) {
  const runId = run.id;
  const limit = seen.after === undefined ? SHOWN_AT_FIRST : AT_ONCE;
  const { lines } = await readLogPart(ctx, run, { types: TYPES, after: seen.after, limit });
  const arrivals = lines.flatMap(({ type, message, metadata }): Arrival[] => {
    const { data } = Settled.safeParse(metadata);
    if (data === undefined) return [];
    const { path, viewport, status, resultId } = data;
    const passed = type === 'INFO' ? SECTION_BADGES.new : SECTION_BADGES.passed;
    return [
      {
        badge: { PASS: passed, FAIL: SECTION_BADGES.changed, ERROR: SECTION_BADGES.error }[status],
        path,
        viewport,
        diff: status === 'FAIL' ? (data.diffScore ?? null) : null,
        error: status === 'ERROR' ? message.replace(`${path} at ${viewport}: `, '') : null,
        href: resultId === undefined ? runPath(runId, { search: path }) : resultPath(runId, resultId),
      },
    ];
  });
  return { arrivals, last: lines.at(-1)?.id ?? seen.after };
}

function foundOf({ run, counts }: RunOverview): Live['found'] {
  const sections = ['changed', 'new', 'error', 'passed'] as const;
  return sections.flatMap((section) => {
    const { tone } = SECTION_BADGES[section];
    const count = counts[section];
    const name = section === 'error' && count === 1 ? 'error' : SECTION_NAMES[section].toLowerCase();
    const href = runPath(run.id, { section });
    return count === 0 ? [] : [{ id: `found-${section}`, href, count, name, tone }];
  });
}

const quarter = (settled: number, total: number) => (total === 0 ? 0 : Math.floor((4 * settled) / total));

/** A guess says no seconds where it says minutes. */
function inMinutes(seconds: number | null): number | null {
  return seconds === null || seconds < 60 ? seconds : Math.round(seconds / 60) * 60;
}

export async function readLive(ctx: Context, overview: RunOverview, filter: ReviewFilter, seen: Seen): Promise<Live> {
  const { run, settled, total } = overview;
  const { arrivals, last } = await arrivalsSince(ctx, run, seen);
  const moved = settled !== seen.settled || arrivals.length > 0;
  const wait = nextWait(RESULTS_PACE, seen.wait, moved);
  const phase = waitingOf(ctx.config, overview)?.title ?? 'Capturing and comparing';
  return {
    next: withQuery(`/runs/${run.id}/live`, { ...filterQuery(filter), after: last, settled, total, wait }),
    wait,
    phase,
    settled,
    total,
    limit: Math.max(1, total),
    percent: total === 0 ? 0 : Math.floor((100 * settled) / total),
    secondsLeft: inMinutes(overview.secondsLeft),
    found: foundOf(overview),
    arrivals,
    said: `${phase}: ${25 * quarter(settled, total)}% done`,
  };
}

const Query = ResultFilter.extend({
  after: Id.optional().catch(undefined),
  settled: z.coerce.number().int().min(0).catch(0),
  total: z.coerce.number().int().min(0).catch(0),
  wait: waitParam(RESULTS_PACE),
});

/** What is new of a run in flight; when it has begun, or is over, htmx is led to its page, which shows other things then. */
export const getLive = pageRoute(
  { path: '/runs/:id/live', params: z.object({ id: Id }), query: Query },
  async (ctx, { viewer, params, query, htmx }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const overview = await readRunOverview(ctx, run);
    const { after, settled, total, wait, ...filter } = query;
    const hasBegun = total === 0 && overview.total > 0;
    if (!htmx || hasBegun || !isInFlight(run.status)) return redirect(runPath(params.id, filter));
    const live = await readLive(ctx, overview, filter, { after, settled, wait });
    return { kind: 'fragment', view: 'runs/live', model: { live } };
  },
);

import type { Context } from '../../context.ts';
import { onRun } from '../../http/acts-on.ts';
import { readPreviewSearch } from '../../pull-requests/previews/preview-search-store.ts';
import type { ReviewFilter } from '../../review/list/review-row.ts';
import { readRunOverview, type RunOverview } from '../../review/overview/read-run-overview.ts';
import { listSettledResults } from '../../runs/results/list-results.ts';
import type { SettledResult } from '../../runs/results/result.ts';
import { findSection } from '../../runs/results/review-section.ts';
import { isInFlight } from '../../runs/run.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { SECTION_BADGES } from '../badge.ts';
import { resultThumbnail } from '../comparison/read-image.ts';
import { nextWait, RESULTS_PACE, waitParam } from '../live-poll.ts';
import { isAnySet, pageRoute, redirect, withQuery } from '../web-route.ts';
import { ResultPart, resultPath, runPath } from './results/address.ts';
import { nameSection } from './results/result-groups.ts';
import { readRunHead } from './run-head.ts';
import { describeWaiting } from './run-state.ts';

/** The results that the open page lists, if it lists any. */
type ListView = { filter: ReviewFilter; offset: number };

/**
 * What the open page already knows: the number of its last result, how many results were settled, and its last wait.
 */
type ClientState = { after?: number | undefined; settled: number; wait: number };

function toArrival(runId: string, result: SettledResult) {
  return {
    ...result,
    badge: SECTION_BADGES[findSection(result)],
    diff: result.status === 'FAIL' ? result.diffScore : null,
    href: resultPath(runId, result.id),
    thumbnail: resultThumbnail(result),
    smallThumbnail: resultThumbnail(result, 'small'),
  };
}

function describeFound({ run, counts }: RunOverview) {
  const sections = ['changed', 'new', 'error', 'passed'] as const;
  return sections.flatMap((section) => {
    const { tone, label } = SECTION_BADGES[section];
    const count = counts[section];
    const name = (count === 1 ? label : nameSection(section)).toLowerCase();
    const href = runPath(run.id, { section });
    return count === 0 ? [] : [{ id: `found-${section}`, href, count, name, tone }];
  });
}

/** Results so far that somebody may want to look at. */
const describeNews = ({ counts }: RunOverview): string[] => [
  ...(counts.changed === 0 ? [] : [`${formatNumber(counts.changed)} changed`]),
  ...(counts.error === 0 ? [] : [formatCount(counts.error, 'error')]),
];

const quarter = (settled: number, total: number) => (total === 0 ? 0 : Math.floor((4 * settled) / total));

/** Rounds an estimate of a minute or more to whole minutes. */
function inMinutes(seconds: number | null): number | null {
  return seconds === null || seconds < 60 ? seconds : Math.round(seconds / 60) * 60;
}

/** What the partial `run-progress` prints, and the results since the last poll. */
export async function readLive(ctx: Context, overview: RunOverview, { filter, offset }: ListView, seen: ClientState) {
  const { run, settled, total } = overview;
  const list = { ...filter, offset: offset === 0 ? null : offset };
  const isListed = isAnySet(filter) || offset > 0;
  const results = await listSettledResults(ctx, run, seen.after);
  const last = results.at(-1)?.settledNumber ?? seen.after;
  const moved = settled !== seen.settled || results.length > 0;
  const wait = nextWait(RESULTS_PACE, seen.wait, moved);
  const search = await readPreviewSearch(ctx.db, run);
  const phase = describeWaiting(ctx.config, run, search)?.title ?? 'Capturing and comparing';
  return {
    next: withQuery(`/runs/${run.id}/live`, { ...list, after: last, settled, total, wait }),
    wait,
    phase,
    settled,
    total,
    limit: Math.max(1, total),
    percent: total === 0 ? 0 : Math.floor((100 * settled) / total),
    secondsLeft: inMinutes(overview.secondsLeft),
    found: describeFound(overview),
    arrivals: results.map((result) => toArrival(run.id, result)),
    refresh: isListed && settled !== seen.settled ? withQuery(`/runs/${run.id}`, list) : null,
    said: [`${phase}: ${25 * quarter(settled, total)}% done`, ...describeNews(overview)].join(', '),
  };
}

const Query = ResultPart.extend({
  after: typedNumber(0).optional().catch(undefined),
  settled: typedNumber(0).catch(0),
  total: typedNumber(0).catch(0),
  wait: waitParam(RESULTS_PACE),
});

/**
 * The news of a run in flight. When the run has begun or ended, htmx is redirected to the run's page, whose content is
 * then different.
 */
export const getLive = pageRoute(
  { path: '/runs/:id/live', ...onRun('suite.read'), query: Query },
  async (ctx, { run, query, htmx }) => {
    const overview = await readRunOverview(ctx, run);
    const { after, settled, total, wait, offset, ...filter } = query;
    const hasBegun = total === 0 && overview.total > 0;
    if (!htmx || hasBegun || !isInFlight(run.status)) return redirect(runPath(run.id, filter));
    const [live, head] = await Promise.all([
      readLive(ctx, overview, { filter, offset }, { after, settled, wait }),
      readRunHead(ctx, overview),
    ]);
    return {
      kind: 'fragment',
      view: 'runs/live',
      model: { live, head, arrivals: live.arrivals.length > 0 && !isAnySet(filter) && offset === 0 },
    };
  },
);

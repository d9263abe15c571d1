import { z } from 'zod';
import type { Context } from '../../context.ts';
import { Id, onRun } from '../../http/acts-on.ts';
import { readPreviewSearch } from '../../pull-requests/previews/preview-search-store.ts';
import { readNewComments } from '../../review/comments/comment-store.ts';
import type { ReviewFilter } from '../../review/list/review-row.ts';
import { readRunOverview, type RunOverview } from '../../review/overview/read-run-overview.ts';
import { listNews } from '../../review/verdicts/read-verdicts.ts';
import { readResult, type RunFor } from '../../runs/read-run.ts';
import { listSettledResults } from '../../runs/results/list-results.ts';
import { findSection, type SettledResult } from '../../runs/results/result.ts';
import { isInFlight } from '../../runs/run.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { SECTION_BADGES } from '../badge.ts';
import { resultThumbnail } from '../comparison/read-image.ts';
import { VerdictNumber } from '../form-field.ts';
import { NEWS_PACE, nextWait, RESULTS_PACE, waitParam } from '../live-poll.ts';
import { isAnySet, pageRoute, redirect, withQuery } from '../web-route.ts';
import { verdictRow } from './decisions/run-form.ts';
import { ResultPart, resultPath, runPath } from './results/address.ts';
import { nameSection } from './results/result-groups.ts';
import { readReviewProgress, readRunHead } from './run-head.ts';
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

/** More decisions are not named. */
const MOST = 5;

/** A time as PostgreSQL writes it, such as `2026-03-01 08:00:00.25+00`. */
const PostgresTime = z.preprocess(
  (text) =>
    String(text)
      .replace(' ', 'T')
      .replace(/[+-]\d\d$/, '$&:00'),
  z.iso.datetime({ offset: true }).startsWith('2'),
);

/**
 * What the open page knows: the last verdict and comment when it was created (`seen`, `comment`), the last verdict that it
 * received (`told`), and its last wait.
 */
const NewsQuery = z.object({
  seen: VerdictNumber.catch(0),
  told: typedNumber(0).catch(0),
  comment: PostgresTime.nullable().catch(null).default(null),
  result: Id.nullable().catch(null).default(null),
  wait: waitParam(NEWS_PACE),
});

async function readNews(ctx: Pick<Context, 'db'>, run: RunFor, known: z.output<typeof NewsQuery>) {
  const { seen, result } = known;
  const [verdicts, comments, open] = await Promise.all([
    listNews(ctx, run, { seen, limit: MOST }),
    readNewComments(ctx.db, run, known.comment),
    result === null ? null : readResult(ctx, run, result),
  ]);
  const items = verdicts.map((verdict) => {
    const isOfThis = open !== null && verdict.results === 1 && open.verdictNumber === verdict.number;
    const row = verdictRow(verdict);
    return isOfThis ? { ...row, what: row.what.replace('1 result', 'this result') } : row;
  });
  const told = verdicts[0]?.number ?? seen;
  const wait = nextWait(NEWS_PACE, known.wait, told > known.told);
  const address = `/runs/${run.id}${result === null ? '' : `/results/${result}`}`;
  const newComments = comments.count === 0 ? null : formatCount(comments.count, 'new comment');
  return {
    next: withQuery(`/runs/${run.id}/news`, { seen, comment: known.comment, told, wait, result }),
    wait,
    items,
    comments: newComments,
    here: address,
    said: [...items.map(({ who, what }) => `${who} ${what}`), ...(newComments === null ? [] : [newComments])].join(
      '. ',
    ),
  };
}

/**
 * The poll of a page that has just been created.
 * @param last the time of the last comment on the run
 */
export function firstNews(run: RunFor, result: string | null, last: string | null) {
  const seen = run.verdictNumber;
  const wait = NEWS_PACE.soonest;
  const next = withQuery(`/runs/${run.id}/news`, { seen, comment: last ?? 'none', told: seen, wait, result });
  return { next, wait, items: [], comments: null, here: `/runs/${run.id}`, said: '' };
}

/** What others decided while the page is open. */
export const getNews = pageRoute(
  { path: '/runs/:id/news', ...onRun('suite.read'), query: NewsQuery },
  async (ctx, { run, query, htmx }) => {
    if (!htmx) return redirect(`/runs/${run.id}`);
    const news = await readNews(ctx, run, query);
    const progress = await readReviewProgress(ctx, await readRunOverview(ctx, run));
    return { kind: 'fragment', view: 'runs/news', model: { news, progress, swap: true } };
  },
);

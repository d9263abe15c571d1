import { z } from 'zod';
import type { Context } from '../../context.ts';
import { Id, onRun } from '../../http/acts-on.ts';
import { readNewComments } from '../../review/comments/comment-store.ts';
import { readRunOverview } from '../../review/overview/read-run-overview.ts';
import { listNews } from '../../review/verdicts/read-verdicts.ts';
import { readResult, type RunFor } from '../../runs/read-run.ts';
import { formatCount } from '../../text/format.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { NEWS_PACE, nextWait, waitParam } from '../live-poll.ts';
import { pageRoute, redirect, withQuery } from '../web-route.ts';
import { verdictRow } from './decisions/run-form.ts';
import { readReviewProgress } from './run-bar.ts';

/** More decisions are not named. */
const MOST = 5;

/**
 * What the open page knows: the last verdict and comment when it was created (`seen`, `comment`), the last verdict that it
 * received (`told`), and its last wait.
 */
const Query = z.object({
  seen: typedNumber(0).catch(0),
  told: typedNumber(0).catch(0),
  comment: z
    .string()
    .regex(/^[\d :.+-]{1,40}$/)
    .nullable()
    .catch(null)
    .default(null),
  result: Id.nullable().catch(null).default(null),
  wait: waitParam(NEWS_PACE),
});

async function readNews(ctx: Pick<Context, 'db'>, run: RunFor, known: z.output<typeof Query>) {
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
  { path: '/runs/:id/news', ...onRun('suite.read'), query: Query },
  async (ctx, { run, query, htmx }) => {
    if (!htmx) return redirect(`/runs/${run.id}`);
    const news = await readNews(ctx, run, query);
    const progress = await readReviewProgress(ctx, await readRunOverview(ctx, run));
    return { kind: 'fragment', view: 'runs/news', model: { news, progress, swap: true } };
  },
);

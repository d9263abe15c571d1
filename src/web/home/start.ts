import type { Context } from '../../context.ts';
import { FAILED_DAYS, readStartPage, type StartPage } from '../../runs/list/list-runs.ts';
import type { RunWithSuite } from '../../runs/list/run-list.ts';
import { formatAge } from '../../text/format.ts';
import { CRAWL_BADGES } from '../badge.ts';
import type { IconName } from '../icons.ts';
import { pollRuns } from '../live-poll.ts';
import { listRunRows } from '../run-row.ts';
import { newSuiteModel } from '../suites/new-suite.ts';
import { pageRoute } from '../web-route.ts';

const AWAITING = '/runs?review=MINE';
const IN_FLIGHT = '/runs?status=IN_FLIGHT';

function buildStats({ totalTestSuites, totalSinglePages, runningTests, awaitingTotal }: StartPage) {
  const stat = (label: string, value: number, href: string, icon: IconName, toned?: 'attention' | 'accent') => ({
    label,
    value,
    href,
    icon,
    tone: toned !== undefined && value > 0 ? toned : null,
  });
  return [
    stat('Awaiting your review', awaitingTotal, AWAITING, 'eye', 'attention'),
    stat('Running', runningTests, IN_FLIGHT, 'sync', 'accent'),
    stat('Suites', totalTestSuites, '/suites', 'stack'),
    stat('Single pages', totalSinglePages, '/single-pages', 'file'),
  ];
}

const without = <R extends { id: string }>(runs: R[], named: { id: string }[]): R[] =>
  runs.filter(({ id }) => named.every((other) => other.id !== id));

/** Each run is named once, where there is most to do about it. */
async function buildLive(ctx: Pick<Context, 'db' | 'clock'>, start: StartPage) {
  const { assigned, awaitingTotal, failedCrawls, runningTests } = start;
  const awaiting = without(start.awaiting, assigned);
  const failed = without(start.failed, [...assigned, ...awaiting]);
  const followed = without(start.followed, [...assigned, ...awaiting, ...failed]);
  const row = await listRunRows(ctx, [...assigned, ...awaiting, ...followed, ...failed]);
  const now = ctx.clock.now();
  const [first] = [...assigned, ...awaiting];
  const toReview = (run: RunWithSuite) => row(run, run.id === first?.id ? 'primary' : 'plain');
  return {
    poll: pollRuns(followed, '/', now),
    status: `${runningTests} running, ${awaitingTotal} awaiting review`,
    stats: buildStats(start),
    assigned: assigned.map(toReview),
    awaiting: awaiting.map(toReview),
    moreAwaiting: awaitingTotal > assigned.length + awaiting.length ? { href: AWAITING, total: awaitingTotal } : null,
    followed: followed.map((run) => row(run)),
    follows: start.followed.length > 0,
    failed: failed.map((run) => row(run)),
    failedCrawls: failedCrawls.map(({ id, ...crawl }) => ({
      ...crawl,
      href: `/suites/${id}`,
      age: formatAge(crawl.at, now),
      badge: CRAWL_BADGES.FAILED,
    })),
    failedDays: FAILED_DAYS,
  };
}

export const getStart = pageRoute({ path: '/' }, async (ctx, { viewer, htmx }) => {
  const start = await readStartPage(ctx, viewer);
  const live = await buildLive(ctx, start);
  if (htmx) return { kind: 'fragment', view: 'dashboard/live', model: live };
  const isNew = start.totalTestSuites === 0 && start.totalSinglePages === 0;
  if (!isNew) return { kind: 'page', view: 'dashboard/start', title: 'Dashboard', model: live, section: 'dashboard' };
  const model = newSuiteModel(null, null);
  return { kind: 'page', view: 'dashboard/welcome', title: 'Dashboard', model, section: 'dashboard' };
});

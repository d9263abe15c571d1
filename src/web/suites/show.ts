import type { Context } from '../../context.ts';
import { onSuite } from '../../http/acts-on.ts';
import { readPageOverview } from '../../pages/page-overview-store.ts';
import { isRunnable, type PageTally } from '../../pages/site-page.ts';
import { listAwaitingReview, listNewestRuns } from '../../runs/list/list-runs.ts';
import { readEngineDifferences } from '../../runs/page-jobs/engine-store.ts';
import { readLeastStable, readStability } from '../../runs/page-results/page-results-store.ts';
import { listPages, searchPages } from '../../runs/page-results/read-pages.ts';
import { describeProofs } from '../../runs/proofs/judge-proofs.ts';
import { readCaptureNotices } from '../../runs/results/read-site-notices.ts';
import { readDrift } from '../../runs/results/site-notice-store.ts';
import type { SuiteFor, SuiteForViewer } from '../../suites/suite.ts';
import { formatSeconds } from '../../text/format.ts';
import { describeShare } from '../badge.ts';
import type { Problem } from '../form-field.ts';
import { listPermissions } from '../permissions.ts';
import { readTogether } from '../read-together.ts';
import { listRunRows } from '../run-row.ts';
import { backToLast, buildPager, pagePart, pageRoute, withQuery, type Reply } from '../web-route.ts';
import { crawlBox, isCrawlAwaited, NOTHING_SEEN, readShownCrawl } from './crawl-box.ts';
import { readNextStep } from './next-step.ts';
import * as list from './page-list.ts';
import { folderList, listPageRows } from './page-list.ts';
import { addPageForm, runForm } from './run-form.ts';
import { LISTS, suiteHead } from './suite-head.ts';

const SHOWN = 3;

/**
 * The suite's runs that wait for a review by this viewer. Null: there is none, or their role may not approve. `more`: the
 * URL of all of them, if they are not all shown.
 */
async function readAwaiting(ctx: Pick<Context, 'db' | 'clock'>, suite: SuiteFor) {
  if (!listPermissions(suite.access).approve) return null;
  const found = await listAwaitingReview(ctx, suite, SHOWN + 1);
  if (found.length === 0) return null;
  const shown = found.slice(0, SHOWN);
  const row = await listRunRows(ctx, shown);
  return {
    runs: shown.map(({ testSuite: _suite, ...run }) => row(run, 'plain')),
    more: found.length > SHOWN ? `/suites/${suite.id}/runs?show=review` : null,
  };
}

function explainEmptyList(suite: SuiteForViewer, { total }: PageTally, matched: number): string | null {
  if (matched > 0) return null;
  if (total > 0) return 'no-match';
  if (isCrawlAwaited(suite)) return 'crawling';
  if (suite.crawl.status === 'FAILED') return 'failed';
  return suite.crawl.status === 'IDLE' ? 'not-crawled' : 'no-page';
}

async function readPages(ctx: Context, suite: SuiteFor, query: list.PageListQuery) {
  const slice = pagePart({ page: query.page, size: list.PAGES_AT_ONCE });
  return searchPages(ctx, suite, list.toPageFilter(query), { descending: query.sort === '-path', ...slice });
}

/** Data of the suite's page besides the list of pages. */
async function readFacts(ctx: Context, suite: SuiteFor, query: list.PageListQuery) {
  const facts = await readTogether({
    head: suiteHead(ctx, suite, { tab: 'pages' }),
    overview: readPageOverview(ctx.db, suite, list.toPageFilter(query)),
    engine: readEngineDifferences(ctx.db, suite),
    drift: readDrift(ctx.db, suite),
    details: readShownCrawl(ctx, suite),
    awaiting: readAwaiting(ctx, suite),
    least: readLeastStable(ctx.db, suite),
    notices: captureNotices(ctx, suite),
    proofs: describeProofs(ctx, suite),
  });
  const next = await readNextStep(ctx, suite, facts.details, { ...facts.overview.tally, runs: facts.head.runs });
  return { ...facts, next };
}

const VIEWS = [
  { value: 'list', label: 'List', icon: 'list-unordered' },
  { value: 'grid', label: 'Grid', icon: 'apps' },
] as const;

/** The filter of the list, and the links of its head. */
function listHead(path: string, query: list.PageListQuery) {
  const descending = query.sort === '-path';
  return {
    isGrid: query.view === 'grid',
    views: VIEWS.map(({ value, ...view }) => ({
      ...view,
      href: withQuery(path, list.toQuery({ ...query, view: value })),
      current: value === query.view,
    })),
    path,
    filter: list.filterFields(query),
    kept: list.keptFields(query),
    filtered: list.isFiltered(query),
    sort: {
      descending,
      href: withQuery(path, list.toQuery({ ...query, page: 1, sort: descending ? 'path' : '-path' })),
    },
    actHref: withQuery(`${path}/pages`, list.toQuery(query)),
  };
}

async function pagesModel(ctx: Context, suite: SuiteFor, query: list.PageListQuery, problem: Problem | null) {
  const path = `/suites/${suite.id}`;
  const can = listPermissions(suite.access);
  const [facts, pages] = await Promise.all([readFacts(ctx, suite, query), readPages(ctx, suite, query)]);
  const paths = pages.map((page) => page.path);
  // Most suites never had an unstable page.
  const shares = facts.least.length === 0 ? [] : await readStability(ctx.db, suite, paths);
  const { rows, shared } = listPageRows(pages, shares, query.view);
  const { overview, engine, drift, details, next } = facts;
  const { tally, matched } = overview;
  const replaceable = tally.total === 0 || next.soon;
  const crawl = crawlBox(suite, details, { seen: NOTHING_SEEN, replaceable, awaitsRun: next.soon });
  const run = runForm(suite, tally.runnable, problem, ctx.clock.now());
  const empty = explainEmptyList(suite, tally, matched);
  return {
    ...listHead(path, query),
    ...facts,
    can,
    ticks: can.edit,
    problem,
    description: suite.description,
    coverage: list.coverage(path, overview),
    choices: list.stateChoices(path, query, overview),
    folders: folderList(path, query, overview, rows),
    leastStable: facts.least.map((share) => ({
      href: `${path}/pages/${share.pageId}`,
      path: share.path,
      share: describeShare(share),
    })),
    matched,
    shared,
    /** More pages match than are shown. Actions can be applied to all of them. */
    beyond: matched > rows.length,
    pager: buildPager(list.shownPage(path, query), matched),
    empty: {
      noMatch: empty === 'no-match',
      crawling: empty === 'crawling',
      notCrawled: empty === 'not-crawled',
      failed: empty === 'failed',
      noPage: empty === 'no-page',
    },
    isEmpty: empty !== null,
    /** There is nothing to filter. */
    isBare: empty !== null && empty !== 'no-match',
    crawl,
    /** An empty list has the button itself. */
    mayCrawlAbove: crawl.mayCrawl && (empty === null || empty === 'no-match'),
    run,
    // If nothing can run, another part of the page says why.
    mayRun: can.run && run.isReady,
    add: addPageForm(problem),
    engine: engine === null ? null : { ...engine, run: `/runs/${engine.runId}` },
    drift: drift === null ? null : { pages: drift.pages, run: `/runs/${drift.runId}` },
    tracksAll: suite.config.autoTrack !== 'off',
    trackNone: tally.total > 0 && tally.runnable === 0 && next.track === null,
  };
}

/**
 * The page of a suite: its pages, the state of its crawl, and the forms to run it. Single pages have a different view.
 */
export const getSuite = pageRoute(
  { path: '/suites/:id', ...onSuite('suite.read'), query: list.PageListQuery },
  async (ctx, { suite, query }, problem) => {
    if (suite.kind === 'MANUAL') return showSinglePage(ctx, suite, problem);
    const model = await pagesModel(ctx, suite, query, problem);
    const back = backToLast(list.shownPage(model.path, query), model.matched);
    if (back !== null) return back;
    return { kind: 'page', view: 'suites/show', title: suite.name, model, section: LISTS[suite.kind].section };
  },
);

const RUNS_SHOWN = 5;
/** There is one, unless the API added more. */
const PAGES_SHOWN = 100;

/** A single page: its path (the API can add more), the form to run it, and its latest runs. */
export async function showSinglePage(ctx: Context, suite: SuiteFor, problem: Problem | null): Promise<Reply> {
  const [head, { pages }, runs, notices] = await Promise.all([
    suiteHead(ctx, suite, { tab: 'pages' }),
    listPages(ctx, suite, { limit: PAGES_SHOWN, after: null }),
    listNewestRuns(ctx, [suite], RUNS_SHOWN),
    captureNotices(ctx, suite),
  ]);
  const shares = await readStability(
    ctx.db,
    suite,
    pages.map((page) => page.path),
  );
  const newest = runs.get(suite.id)?.runs ?? [];
  const row = await listRunRows(ctx, newest);
  const runnable = pages.filter(isRunnable).length;
  const model = {
    head,
    can: listPermissions(suite.access),
    problem,
    notices,
    description: suite.description,
    rows: listPageRows(pages, shares, 'list').rows,
    ticks: false,
    run: runForm(suite, runnable, problem, ctx.clock.now()),
    runs: newest.map((run) => row(run)),
  };
  return { kind: 'page', view: 'single-pages/show', title: suite.name, model, section: LISTS[suite.kind].section };
}

/** What the screenshots of a suite leave out, and the settings that would include it. */
export async function captureNotices(ctx: Context, suite: SuiteFor) {
  const { late, workers } = await readCaptureNotices(ctx, suite);
  return {
    settings: listPermissions(suite.access).edit ? `/suites/${suite.id}/settings#capture` : null,
    late:
      late === null
        ? null
        : { ...late, isOne: late.pages === 1, limit: formatSeconds(suite.config.settle.timeout / 1000) },
    workers: workers === null ? null : { ...workers, isOne: workers.pages === 1 },
  };
}

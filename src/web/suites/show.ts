import type { Context } from '../../context.ts';
import { tallyPages } from '../../pages/search-pages.ts';
import { readEngineDifferences } from '../../review/approval/renew-baselines.ts';
import { readDrift } from '../../runs/results/read-drift.ts';
import { searchPages } from '../../runs/results/read-pages.ts';
import { listLeastStable, readStability } from '../../runs/results/read-stability.ts';
import type { PageTally } from '../../pages/page-search.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import type { SuiteFor, SuiteForViewer } from '../../suites/suite.ts';
import type { Reply } from '../reply.ts';
import { redirect } from '../reply.ts';
import { buildFields } from '../form-field.ts';
import { SEARCH_MAX_LENGTH } from '../form-values.ts';
import { buildPager, withQuery } from '../pager.ts';
import { describeShare } from '../stability.ts';
import { listPermissions } from '../permissions.ts';
import type { Problem } from '../problem.ts';
import type { WebRequest } from '../web-route.ts';
import { pageRoute } from '../web-route.ts';
import { showSinglePage } from './show-single-page.ts';
import { crawlBox, isCrawlAwaited, NOTHING_SEEN, readShownCrawl } from './crawl-box.ts';
import { readNextStep } from './next-step.ts';
import { PageListQuery, PAGES_AT_ONCE, toPageFilter, toQuery, tallyChoices } from './page-list.ts';
import { pageRow } from './page-row.ts';
import { SuiteParams } from './params.ts';
import { addPageForm, runForm } from './run-form.ts';
import { chooseSection, suiteHead } from './suite-head.ts';

const STATUS_OPTIONS = [
  { value: '', label: 'Any status' },
  { value: 'NEW', label: 'New' },
  { value: 'ACTIVE', label: 'Active' },
  { value: 'REMOVED', label: 'Removed' },
];
const TRACKED_OPTIONS = [
  { value: '', label: 'Tracked or not' },
  { value: 'yes', label: 'Tracked' },
  { value: 'no', label: 'Not tracked' },
];

function filterFields({ q, status, tracked }: PageListQuery) {
  return buildFields(
    {
      q: {
        label: 'Search',
        type: 'search',
        value: q,
        attributes: { placeholder: 'Path or title', maxlength: SEARCH_MAX_LENGTH },
      },
      status: { label: 'Status', type: 'select', value: status, options: STATUS_OPTIONS },
      tracked: { label: 'Tracked', type: 'select', value: tracked, options: TRACKED_OPTIONS },
    },
    null,
  );
}

/** The message for an empty list. */
function explainEmptyList(suite: SuiteForViewer, { total }: PageTally, matched: number): string | null {
  if (matched > 0) return null;
  if (total > 0) return 'no-match';
  if (isCrawlAwaited(suite)) return 'crawling';
  if (suite.crawl.status === 'FAILED') return 'failed';
  return suite.crawl.status === 'IDLE' ? 'not-crawled' : 'no-page';
}

type SuiteRequest = Pick<WebRequest<{ id: string }, unknown>, 'viewer' | 'params' | 'query'>;

async function pagesModel(ctx: Context, suite: SuiteFor, query: PageListQuery, problem: Problem | null) {
  const path = `/suites/${suite.id}`;
  const slice = {
    descending: query.sort === '-path',
    limit: PAGES_AT_ONCE,
    offset: (query.page - 1) * PAGES_AT_ONCE,
  };
  const [head, tally, { pages, matched }, engine, drift, details] = await Promise.all([
    suiteHead(ctx, suite, { tab: 'pages' }),
    tallyPages(ctx, suite),
    searchPages(ctx, suite, toPageFilter(query), slice),
    readEngineDifferences(ctx, suite),
    readDrift(ctx, suite),
    readShownCrawl(ctx, suite),
  ]);
  const [shares, least, next] = await Promise.all([
    readStability(
      ctx,
      suite,
      pages.map((page) => page.path),
    ),
    listLeastStable(ctx, suite),
    readNextStep(ctx, suite, details, { ...tally, runs: head.runs }),
  ]);
  const can = listPermissions(suite.access);
  const replaceable = tally.total === 0 || next.soon;
  const crawl = crawlBox(suite, details, { seen: NOTHING_SEEN, replaceable, awaitsRun: next.soon });
  const empty = explainEmptyList(suite, tally, matched);
  return {
    head,
    can,
    problem,
    description: suite.description,
    choices: tallyChoices(path, query, tally),
    filter: filterFields(query),
    filtered: query.q !== '' || query.status !== null || query.tracked !== null,
    sort: {
      descending: slice.descending,
      href: withQuery(path, toQuery({ ...query, page: 1, sort: slice.descending ? 'path' : '-path' })),
    },
    path,
    rows: pages.map((page) => pageRow(page, shares)),
    leastStable: least.map((share) => ({
      href: `${path}/pages/${share.pageId}`,
      path: share.path,
      share: describeShare(share),
    })),
    matched,
    /** More pages match than are shown. Actions can be applied to all of them. */
    beyond: matched > pages.length,
    pager: buildPager({ total: matched, page: query.page, size: PAGES_AT_ONCE }, path, {
      ...toQuery(query),
      page: null,
    }),
    actHref: withQuery(`${path}/pages`, toQuery(query)),
    empty: {
      noMatch: empty === 'no-match',
      crawling: empty === 'crawling',
      notCrawled: empty === 'not-crawled',
      failed: empty === 'failed',
      noPage: empty === 'no-page',
    },
    isEmpty: empty !== null,
    crawl,
    /** An empty list has the button itself. */
    mayCrawlAbove: crawl.mayCrawl && (empty === null || empty === 'no-match'),
    next,
    run: runForm(suite, tally.runnable, problem),
    add: addPageForm(problem),
    engine: engine === null ? null : { count: engine.results, run: `/runs/${engine.runId}` },
    drift: drift === null ? null : { pages: drift.pages, run: `/runs/${drift.runId}` },
    isActive: suite.isActive,
    tracksAll: suite.config.autoTrack !== 'off',
    trackNone: tally.total > 0 && tally.runnable === 0 && next.track === null,
  };
}

/**
 * The page of a suite: its pages, the state of its crawl, and the forms to run it. Single pages have a different view.
 */
export async function showSuite(ctx: Context, request: SuiteRequest, problem: Problem | null = null): Promise<Reply> {
  const suite = await getSuiteFor(ctx, request.viewer, request.params.id, 'suite.read');
  if (suite.kind === 'MANUAL') return showSinglePage(ctx, suite, problem);
  const query = PageListQuery.parse(request.query ?? {});
  const model = await pagesModel(ctx, suite, query, problem);
  const last = Math.max(1, Math.ceil(model.matched / PAGES_AT_ONCE));
  if (query.page > last) return redirect(withQuery(model.path, toQuery({ ...query, page: last })));
  return { kind: 'page', view: 'suites/show', title: suite.name, model, section: chooseSection(suite) };
}

export const getSuite = pageRoute(
  { path: '/suites/:id', params: SuiteParams, query: PageListQuery },
  async (ctx: Context, request: WebRequest<{ id: string }, PageListQuery>) => showSuite(ctx, request),
);

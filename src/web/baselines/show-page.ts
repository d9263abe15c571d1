import { z } from 'zod';
import { readPageBaselines, readPageHistory } from '../../baselines/read-baselines.ts';
import type { BaselineVersion } from '../../baselines/baseline.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { thumbnailUrl } from '../../http/image-url.ts';
import { readStability } from '../../runs/results/read-stability.ts';
import { readResultsOfPage } from '../../runs/results/read-page-results.ts';
import { readPage } from '../../runs/results/read-pages.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import type { Reply } from '../reply.ts';
import { PAGE_BADGES } from '../badge.ts';
import { pageLatest } from '../page-latest.ts';
import { buildPager, withQuery } from '../pager.ts';
import { describeShare } from '../stability.ts';
import type { Problem } from '../problem.ts';
import { imagePath } from '../review/read-image.ts';
import { pageRoute } from '../web-route.ts';
import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import { chooseSection, suiteHead } from '../suites/suite-head.ts';
import { PageParams, comparePath, pagePath } from './page-path.ts';
import { differenceCharts } from './difference-chart.ts';
import { buildTimeline, mergeHistory } from './timeline.ts';
import { formatApprover, describeOrigin } from './version-text.ts';

/** How many versions are shown at once. Each one has a screenshot. */
const PART = 30;

const Query = z.object({
  viewport: z.string().max(100).optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
});

export type PageView = z.output<typeof Query>;

function currentBaselineModel(config: Config, suite: SuiteForViewer, version: BaselineVersion) {
  return {
    viewport: version.viewport,
    version: version.version,
    by: formatApprover(version),
    at: version.approvedAt,
    origin: describeOrigin(version, suite.codehost, config),
    note: version.note,
    image: imagePath(config, version.filePath),
    thumbnail: thumbnailUrl({ publicUrl: '' }, version.filePath, 384),
  };
}

function viewportLinks(path: string, viewports: string[], chosen: string | undefined) {
  const link = (label: string, value: string | undefined) => ({
    label,
    href: withQuery(path, { viewport: value }),
    current: value === chosen,
  });
  return viewports.length < 2 ? [] : [link('All', undefined), ...viewports.map((name) => link(name, name))];
}

/** Shows the current baselines of a page and their history. `problem`: why a restore was rejected. */
export async function showPage(
  ctx: Context,
  viewer: Viewer,
  params: z.output<typeof PageParams>,
  view: PageView,
  problem: Problem | null = null,
): Promise<Reply> {
  const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
  const sitePage = await readPage(ctx, suite, params.pageId);
  const { viewport } = view;
  const [baselines, { items: shown }, head, shares, results] = await Promise.all([
    readPageBaselines(ctx, suite, sitePage),
    readPageHistory(ctx, suite, sitePage, { viewport, limit: PART, after: null, offset: (view.page - 1) * PART }),
    suiteHead(ctx, suite, { tab: 'pages', nested: true }),
    readStability(ctx, suite, [sitePage.path]),
    readResultsOfPage(ctx, suite, sitePage),
  ]);
  const path = pagePath(sitePage);
  const total = viewport === undefined ? baselines.versionCount : (baselines.counts.get(viewport) ?? 0);
  const ofViewport = results.filter((result) => viewport === undefined || result.viewport === viewport);
  const entries = buildTimeline(
    { config: ctx.config, suite, page: sitePage },
    shown,
    new Set(baselines.current.map(({ id }) => id)),
  );
  const history = mergeHistory(entries, ofViewport, {
    promoted: new Set(shown.flatMap(({ pageResultId }) => pageResultId ?? [])),
    isFirst: view.page === 1,
    isLast: view.page * PART >= total,
  });
  const model = {
    head,
    problem,
    path: sitePage.path,
    title: sitePage.title,
    url: sitePage.url,
    badge: PAGE_BADGES[sitePage.status],
    tracked: sitePage.tracked,
    removedAt: sitePage.removedAt,
    latest: pageLatest(sitePage.latestResult),
    unstable: shares.map(describeShare),
    current: baselines.current.map((version) => currentBaselineModel(ctx.config, suite, version)),
    versionCount: total,
    viewports: viewportLinks(path, [...baselines.counts.keys()].toSorted(), viewport),
    history,
    charts: differenceCharts(ofViewport),
    compare: comparePath(sitePage, {}),
    mayCompare: total > 1,
    restore: `${path}/restore`,
    noteLength: NOTE_MAX_LENGTH,
    pager: buildPager({ total, page: view.page, size: PART }, path, { viewport }),
  };
  return {
    kind: 'page',
    view: 'baselines/page',
    title: `${sitePage.path} · ${suite.name}`,
    model,
    section: chooseSection(suite),
  };
}

/** The baselines of a page and their history. */
export const getPage = pageRoute(
  { path: '/suites/:id/pages/:pageId', params: PageParams, query: Query },
  async (ctx, { viewer, params, query }) => showPage(ctx, viewer, params, query),
);

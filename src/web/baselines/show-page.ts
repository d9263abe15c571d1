import { z } from 'zod';
import { knownName } from '../../auth/user.ts';
import {
  NOTE_MAX_LENGTH,
  ReviewerNote,
  type BaselineSource,
  type BaselineVersion,
  type BaselineVersionEvent,
} from '../../baselines/baseline.ts';
import { readPageHistory, readVersion } from '../../baselines/read-baselines.ts';
import { readCurrentVersions } from '../../baselines/version-store.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { webAddress } from '../../github/app/addresses.ts';
import { Id, onPage } from '../../http/acts-on.ts';
import type { SitePage } from '../../pages/site-page.ts';
import { restoreVersion } from '../../review/approval/promote-through-api.ts';
import { readResultsOfPage, readStability, readTimeline } from '../../runs/page-results/page-results-store.ts';
import type { PageTimeline, ResultOfPage } from '../../runs/page-results/result-of-page.ts';
import { findSection } from '../../runs/results/result.ts';
import type { CodeHostLink, SuiteFor, SuiteForViewer } from '../../suites/suite.ts';
import { readablePath } from '../../text/readable-path.ts';
import { APPROVED_BADGE, describeShare, describeStability, PAGE_BADGES, pageLatest, SECTION_BADGES } from '../badge.ts';
import { imagePath, thumbnail } from '../comparison/read-image.ts';
import { PageNumber } from '../form-field.ts';
import { listPermissions } from '../permissions.ts';
import { suitePage } from '../suites/suite-head.ts';
import { buildPager, formRoute, pagePart, pageRoute, redirect, withQuery } from '../web-route.ts';
import { comparePath, pagePath, resultChoice } from './compare.ts';
import { chartTable, differenceCharts } from './difference-chart.ts';

const SOURCES: Record<BaselineSource, string> = {
  INITIAL: 'First screenshot, not reviewed',
  MANUAL: 'Approved in a site run',
  BRANCH: 'Approved in a branch preview',
  PR_MERGE: 'Approved and merged with pull request',
  API: 'Set manually',
};

/** How a version was created, for people. */
function describeOrigin(
  { source, prNumber, testRunId, pageResultId }: BaselineVersion,
  codehost: CodeHostLink | null,
  config: Pick<Config, 'github'>,
) {
  const repository = codehost === null ? null : `${webAddress(config)}/${codehost.owner}/${codehost.repo}`;
  const href = repository === null ? null : `${repository}/pull/${prNumber}`;
  const result = pageResultId === null ? '' : `/results/${pageResultId}`;
  return {
    source: SOURCES[source],
    pullRequest: prNumber === null ? null : { label: `#${prNumber}`, href },
    run: testRunId === null ? null : `/runs/${testRunId}${result}`,
  };
}

/** A version as lists show it. */
const versionRow = (config: Config, suite: SuiteForViewer, version: BaselineVersion) => ({
  ...version,
  by: knownName(version.approvedBy),
  origin: describeOrigin(version, suite.codehost, config),
  image: imagePath(config, version.filePath),
});

/** How many versions and results are shown at once. Most have a screenshot. */
const PART = 40;

const Query = z.object({ viewport: z.string().max(100).optional().catch(undefined), page: PageNumber });

function viewportLinks(path: string, viewports: string[], chosen: string | undefined) {
  const link = (label: string, value: string | undefined) => ({
    label,
    href: withQuery(path, { viewport: value }),
    current: value === chosen,
  });
  return viewports.length < 2 ? [] : [link('All', undefined), ...viewports.map((name) => link(name, name))];
}

/** A part of the history: which versions and results, their data, and what a chart of that time shows in addition. */
async function readHistory(
  ctx: Context,
  suite: SuiteFor,
  page: SitePage,
  { viewport, page: number }: z.output<typeof Query>,
) {
  const of = { path: page.path, viewport };
  const { entries, total } = await readTimeline(ctx.db, suite, { ...of, ...pagePart({ page: number, size: PART }) });
  const idsOf = (kind: 'VERSION' | 'RESULT') => entries.filter((entry) => entry.kind === kind).map(({ id }) => id);
  const until = number === 1 ? null : (entries[0]?.at ?? null);
  const [{ items: versions }, results] = await Promise.all([
    readPageHistory(ctx, suite, page, { ids: idsOf('VERSION'), limit: PART, after: null }),
    readResultsOfPage(ctx.db, suite, { ...of, until, ids: idsOf('RESULT') }),
  ]);
  return { history: entries, versions, results, total };
}

/** Shows the current baselines of a page and their history. `problem`: why a restore was rejected. */
export const getPage = pageRoute(
  { path: '/suites/:id/pages/:pageId', ...onPage('suite.read'), query: Query },
  async (ctx, { suite, page, query: view }, problem) => {
    const { viewport } = view;
    const [baselines, { history, versions, results, total }, shares] = await Promise.all([
      readCurrentVersions(ctx.db, suite, page),
      readHistory(ctx, suite, page, view),
      readStability(ctx.db, suite, [page.path]),
    ]);
    const path = pagePath(page);
    const current = new Map(baselines.map(({ id, viewport: name }) => [name, id]));
    const items = mergeHistory(
      ctx.config,
      history,
      buildTimeline({ config: ctx.config, suite, page }, versions, current),
      results,
    );
    const model = {
      ...page,
      problem,
      badge: PAGE_BADGES[page.status],
      latest: pageLatest(page.latestResult),
      unstable: shares.map(describeShare),
      current: baselines.map((version) => ({
        ...versionRow(ctx.config, suite, version),
        thumbnail: thumbnail(version.filePath),
      })),
      total,
      viewports: viewportLinks(path, baselines.map((version) => version.viewport).toSorted(), viewport),
      history: items,
      charts: differenceCharts(results),
      data: chartTable(results),
      compare: comparePath(page, {}),
      first: path,
      hasHistory: total > 0 || view.page > 1 || viewport !== undefined,
      mayCompare: items.filter(({ choice }) => choice !== null).length > 1,
      restore: `${path}/restore`,
      noteLength: NOTE_MAX_LENGTH,
      pager: buildPager({ page: view.page, size: PART, path, query: { viewport } }, total),
    };
    const at = { tab: 'pages', nested: true } as const;
    return suitePage(ctx, suite, at, { view: 'baselines/page', title: readablePath(page.path), model });
  },
);

/** `replaces`: the version that the page showed as the current one. */
const Form = z.object({ baselineVersionId: Id, replaces: Id.optional(), note: ReviewerNote });

/** Adds a new version with the screenshot of an old one. */
export const postRestore = formRoute(
  {
    path: '/suites/:id/pages/:pageId/restore',
    ...onPage('suite.approve'),
    form: Form,
    redisplay: getPage.show,
  },
  async (ctx, { suite, page, form: { baselineVersionId, replaces, note } }) => {
    const old = await readVersion(ctx, suite, baselineVersionId);
    if (old.path !== page.path) throw notFound('Baseline version');
    const { currentVersion } = await restoreVersion(ctx, old, { note, replaces });
    const notice = `Restored version ${old.version} at ${old.viewport} as version ${currentVersion}`;
    return redirect(pagePath(page), notice);
  },
);

/** @param current the id of the current version of each viewport */
export function buildTimeline(
  { config, suite, page }: { config: Config; suite: SuiteForViewer; page: SitePage },
  events: BaselineVersionEvent[],
  current: ReadonlyMap<string, string>,
) {
  const mayApprove = listPermissions(suite.access).approve;
  return events.map((event) => ({
    ...versionRow(config, suite, event),
    current: current.get(event.viewport) === event.id,
    replaces: current.get(event.viewport),
    thumbnail: thumbnail(event.filePath, 'small'),
    compare:
      event.previousVersionId === null ? null : comparePath(page, { from: event.previousVersionId, to: event.id }),
    mayRestore: mayApprove && current.get(event.viewport) !== event.id,
  }));
}

function resultEntry(config: Config, result: ResultOfPage) {
  const { id, testRunId, viewport, at, runNumber, approved, status, diffScore, currentFile } = result;
  return {
    id,
    viewport,
    at,
    href: `/runs/${testRunId}/results/${id}`,
    run: `#${runNumber}`,
    badge: approved ? APPROVED_BADGE : SECTION_BADGES[findSection(result)],
    diff: status === 'FAIL' ? diffScore : null,
    stability: describeStability(result),
    image: currentFile === null ? null : imagePath(config, currentFile),
    thumbnail: currentFile === null ? null : thumbnail(currentFile, 'small'),
  };
}

/** How it is chosen for a comparison, in the form of `ScreenshotId`. `label`: for screen readers. */
const choiceOf = (id: string, what: string, viewport: string) => ({ id, label: `Compare ${what} at ${viewport}` });

/** The newest screenshot, and the one before it at the same viewport. */
function suggestPair<T extends { viewport: string; choice: object | null }>(items: T[]): T[] {
  const choosable = items.filter(({ choice }) => choice !== null);
  for (const [at, newer] of choosable.entries()) {
    const older = choosable.slice(at + 1).find(({ viewport }) => viewport === newer.viewport);
    if (older !== undefined) return [newer, older];
  }
  return [];
}

/** Versions and results in one line of time, in the order of `timeline`. Without a screenshot there is no `choice`. */
export function mergeHistory(
  config: Config,
  timeline: PageTimeline['entries'],
  versions: ReturnType<typeof buildTimeline>[number][],
  results: ResultOfPage[],
) {
  const all = [
    ...versions.map((version) => {
      const { id, viewport } = version;
      return { id, viewport, version, result: null, choice: choiceOf(id, `version ${version.version}`, viewport) };
    }),
    ...results.map((found) => {
      const { id, viewport, currentFile } = found;
      const choice = choiceOf(resultChoice(id), `the result in run #${found.runNumber}`, viewport);
      const result = resultEntry(config, found);
      return { id, viewport, version: null, result, choice: currentFile === null ? null : choice };
    }),
  ];
  const byId = new Map(all.map((item) => [item.id, item]));
  const items = timeline.flatMap(({ id }) => byId.get(id) ?? []);
  const [newer, older] = suggestPair(items);
  return items.map((item) => ({
    ...item,
    choice: item.choice && { ...item.choice, from: item === older, to: item === newer },
  }));
}

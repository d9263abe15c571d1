import type { ReviewFilter } from '../../review/list/review-row.ts';
import type { ReviewResult } from '../../review/list/read-review-result.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { findSection } from '../../runs/results/review-section.ts';
import type { Badge } from '../badge.ts';
import { APPROVED_BADGE, SECTION_BADGES, decisionBadge } from '../badge.ts';
import { CHANGE_BADGES } from '../runs/change-badges.ts';
import { resultThumbnail } from '../runs/result-row.ts';
import { runNumber } from '../../runs/run-name.ts';
import { runPath } from '../runs/result-filter.ts';
import { describeStability } from '../stability.ts';
import { formatNumber } from '../../text/format.ts';
import type { ChangeWalk, Strip, Ways } from './change-walk.ts';
import { stopBadge } from './change-walk.ts';
import type { ReviewAddress } from './review-path.ts';
import { reviewPath } from './review-path.ts';

/** The one row above the screenshots: where one is, what changed in words, and the state. */
export type ResultHead = {
  suite: { name: string; href: string };
  run: { label: string; href: string };
  /** The same results by page. */
  byPage: string;
  /** Null: it is about the result, and not about one change of it. */
  change: { element: string | null; summary: string } | null;
  path: string;
  viewport: string;
  badges: Badge[];
  diff: number | null;
  /** The URL of the page's baseline history. Null if the page was deleted. */
  history: string | null;
  /** The URL that was captured. */
  url: string;
  /** The whole state in one sentence, for screen readers. */
  news: string;
};

/** What else there is to say about the screenshot, in words. */
export type Facts = { approval: { by: string | null; at: Date | null } | null; lines: string[] };

export function resultFacts({ result }: Pick<ReviewResult, 'result'>): Facts {
  const { approvedBy, approvedAt, faint, status, pageTitle } = result;
  const stability = describeStability(result);
  return {
    approval: result.approved ? { by: approvedBy?.name ?? approvedBy?.email ?? null, at: approvedAt } : null,
    lines: [
      ...(pageTitle === null ? [] : [pageTitle]),
      ...(status === 'FAIL' && faint ? ['Faint: hardly visible to most people'] : []),
      ...(stability === null ? [] : [stability]),
    ],
  };
}

export function resultHead(
  { run, suite }: RunOverview,
  { result }: Pick<ReviewResult, 'result'>,
  { filter }: ReviewAddress,
  walk: ChangeWalk | null,
  position: string,
): ResultHead {
  const { pageId, path, viewport } = result;
  const decided = decisionBadge(result);
  const state = walk === null ? (decided ?? SECTION_BADGES[findSection(result)]) : stopBadge(walk.stop);
  const kind = walk === null ? null : CHANGE_BADGES[walk.stop.kind];
  const badges = [...(kind === null ? [] : [kind]), ...(state === null ? [] : [state])];
  const isPart = walk !== null && state !== APPROVED_BADGE && decided !== null && decided !== state;
  const label = badges.map((badge) => badge.label).join(', ');
  return {
    suite: { name: suite.name, href: `/suites/${suite.id}` },
    run: {
      label: runNumber(run),
      href: walk === null && filter.rest !== true ? runPath(run.id, { ...filter }) : `/runs/${run.id}`,
    },
    byPage: `/runs/${run.id}?view=pages`,
    change:
      walk === null
        ? null
        : {
            element: walk.stop.element === '' ? null : walk.stop.element,
            summary: walk.stop.summary === '' ? CHANGE_BADGES[walk.stop.kind].label : walk.stop.summary,
          },
    path,
    viewport,
    badges: isPart ? [...badges, decided] : badges,
    diff: result.status === 'FAIL' ? result.diffScore : null,
    history: pageId === null ? null : `/suites/${suite.id}/pages/${pageId}`,
    url: result.url,
    news: `${walk === null ? '' : `${walk.stop.element} ${walk.stop.summary}, `}${path} at ${viewport}: ${label}, ${position}`,
  };
}

export function describePosition({ place, total }: ReviewResult, mainTotal: number): string {
  if (place === null) return 'Not in this list';
  return place <= mainTotal
    ? `${formatNumber(place)} of ${formatNumber(mainTotal)}`
    : `${formatNumber(place - mainTotal)} of ${formatNumber(total - mainTotal)} that don’t need review`;
}

/**
 * `previous` and `next` lead through what wants something of somebody; with a list of results that need no review, through
 * that. `before` and `after`: the same page at its other viewports.
 */
export function resultWays(
  { neighbors, place, ofSamePage, result }: ReviewResult,
  mainTotal: number,
  { section }: ReviewFilter,
  hrefOf: (id: string) => string,
): Ways {
  const { previous, next, previousLoud, nextLoud } = neighbors;
  const isWhole = section === undefined;
  const isResting = place !== null && place > mainTotal;
  const at = ofSamePage.findIndex(({ id }) => id === result.id);
  const to = (id: string | null | undefined) => (id === null || id === undefined ? null : hrefOf(id));
  return {
    previous: to(isWhole ? (previousLoud ?? (isResting ? previous : null)) : previous),
    next: to(isWhole ? nextLoud : next),
    before: to(ofSamePage[at - 1]?.id),
    after: to(ofSamePage[at + 1]?.id),
  };
}

/** The page at all its viewports. */
export function resultStrip({ ofSamePage, result }: ReviewResult, address: ReviewAddress): Strip {
  const items = ofSamePage.map((row) => ({
    href: reviewPath(address, row.id),
    label: `${row.path} at ${row.viewport}`,
    path: row.path,
    viewport: row.viewport,
    image: resultThumbnail(row),
    state: decisionBadge(row) ?? SECTION_BADGES[row.section],
    current: row.id === result.id,
  }));
  return { label: 'Viewports of this page', groups: items.length < 2 ? [] : [{ name: null, items }], left: null };
}

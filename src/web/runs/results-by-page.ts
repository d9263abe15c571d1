import type { Context } from '../../context.ts';
import { formatCount } from '../../text/format.ts';
import type { GroupedPart } from '../../review/list/list-for-review.ts';
import { listReviewGroups } from '../../review/list/list-for-review.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import type { ReviewFilter } from '../../review/list/review-row.ts';
import type { ReviewSection } from '../../runs/results/review-section.ts';
import { withQuery } from '../pager.ts';
import { listPermissions } from '../permissions.ts';
import type { Folded } from './fold-faint.ts';
import { foldFaint } from './fold-faint.ts';
import { filterQuery } from './result-filter.ts';
import type { ResultGroup } from './result-group.ts';
import { SECTION_NAMES, buildGroups } from './result-group.ts';

/** How many pages are shown at once, each with its viewports. */
const PART = 30;
/** How many a section shows that is folded: few open it, and its next part is a click away. */
const FOLDED_PART = 15;

type More = { part: string; page: string };

/** The results of a run by page, in parts. */
export type ResultsByPage = {
  groups: ResultGroup[];
  /** The same, with pages folded that changed only faintly. */
  pages: Folded<ResultGroup>[];
  /** URLs of the next part, for htmx and for a link. Null at the end. */
  more: More | null;
  /** The URL of the previous part. Null if the list starts at the beginning. */
  previous: string | null;
  folded: { label: string; groups: ResultGroup[]; more: More | null; open: boolean }[];
};

type ListRequest = { filter: ReviewFilter; offset: number; lastSection: ReviewSection | null };

function addresses(runId: string, filter: ReviewFilter, offset: number, last: ReviewSection | null): More {
  const query = { ...filterQuery(filter), offset };
  return {
    part: withQuery(`/runs/${runId}/results`, { ...query, last }),
    page: withQuery(`/runs/${runId}`, { view: 'pages', ...query }),
  };
}

type RowContext = Parameters<typeof buildGroups>[1];

function foldedList({ section, groups, totalGroups }: GroupedPart & { section: ReviewSection }, context: RowContext) {
  const { overview, filter } = context;
  const only = { ...filter, section };
  return {
    label: `${SECTION_NAMES[section]} on ${formatCount(totalGroups, 'page')}`,
    groups: buildGroups(groups, { ...context, filter: only, lastSection: section }),
    more: totalGroups > FOLDED_PART ? addresses(overview.run.id, only, FOLDED_PART, section) : null,
    open: false,
  };
}

/** One part of the results by page. The last part also has the folded sections, unless the filter selects a section. */
export async function readResultsByPage(
  ctx: Pick<Context, 'db'>,
  overview: RunOverview,
  { filter, offset, lastSection }: ListRequest,
): Promise<ResultsByPage> {
  const { run, suite } = overview;
  const part = { limit: PART, offset, folded: filter.section === undefined ? FOLDED_PART : null };
  const found = await listReviewGroups(ctx, run, filter, part);
  const hasMore = found.totalGroups > offset + PART;
  const context = { overview, can: listPermissions(suite.access), filter, lastSection };
  const folded = found.folded.map((list) => foldedList(list, context));
  const before = Math.max(0, offset - PART);
  const groups = buildGroups(found.groups, context);
  return {
    groups,
    pages: foldFaint(groups, ({ isFaint }) => isFaint),
    more: hasMore ? addresses(run.id, filter, offset + PART, found.groups.at(-1)?.section ?? null) : null,
    previous:
      offset === 0
        ? null
        : withQuery(`/runs/${run.id}`, { view: 'pages', ...filterQuery(filter), offset: before || null }),
    folded: groups.length === 0 && folded.length === 1 ? folded.map((list) => ({ ...list, open: true })) : folded,
  };
}

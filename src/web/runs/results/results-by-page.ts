import type { Context } from '../../../context.ts';
import { listReviewGroups, type GroupedPart } from '../../../review/list/list-for-review.ts';
import type { ReviewFilter } from '../../../review/list/review-row.ts';
import type { RunOverview } from '../../../review/overview/read-run-overview.ts';
import { REVIEW_SECTIONS, type ReviewSection } from '../../../runs/results/result.ts';
import { formatCount } from '../../../text/format.ts';
import { SECTION_BADGES } from '../../badge.ts';
import { isAnySet, withQuery } from '../../web-route.ts';
import { runPath } from './address.ts';
import { buildGroups, CAUSE_NAMES, foldFaint, nameSection, type GroupsOf } from './result-groups.ts';

/** How many pages are shown at once, each with its viewports. */
const PART = 30;
/** How many a folded section shows. Few people open it, and the next part is a click away. */
const FOLDED_PART = 15;

type ListRequest = { filter: ReviewFilter; offset: number; lastSection: ReviewSection | null };

function addresses(runId: string, filter: ReviewFilter, offset: number, last: ReviewSection | null) {
  const query = { ...filter, offset };
  return {
    part: withQuery(`/runs/${runId}/results`, { ...query, last }),
    page: withQuery(`/runs/${runId}`, { view: 'pages', ...query }),
  };
}

function foldedList({ section, groups, totalGroups }: GroupedPart & { section: ReviewSection }, context: GroupsOf) {
  const { overview, filter } = context;
  const only = { ...filter, section };
  return {
    label: `${nameSection(section)} on ${formatCount(totalGroups, 'page')}`,
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
) {
  const { run } = overview;
  const part = { limit: PART, offset, folded: filter.section === undefined ? FOLDED_PART : null };
  const found = await listReviewGroups(ctx, run, filter, part);
  const hasMore = found.totalGroups > offset + PART;
  const context = { overview, filter, lastSection };
  const folded = found.folded.map((list) => foldedList(list, context));
  const before = Math.max(0, offset - PART);
  const groups = buildGroups(found.groups, context);
  return {
    groups,
    pages: foldFaint(groups, ({ isFaint }) => isFaint),
    more: hasMore ? addresses(run.id, filter, offset + PART, found.groups.at(-1)?.heading.section ?? null) : null,
    previous: offset === 0 ? null : withQuery(`/runs/${run.id}`, { view: 'pages', ...filter, offset: before || null }),
    folded: groups.length === 0 && folded.length === 1 ? folded.map((list) => ({ ...list, open: true })) : folded,
  };
}

/** The forms of the page that return to the current filtered list. */
const FORMS = ['review', 'rerun', 'layout'];

type ListView = Pick<ListRequest, 'filter' | 'offset'>;

/**
 * Starts at the beginning if nothing is left at this place, because some filters exclude results once they are
 * approved.
 */
async function listAt(ctx: Pick<Context, 'db'>, overview: RunOverview, { filter, offset }: ListView) {
  const list = await readResultsByPage(ctx, overview, { filter, offset, lastSection: null });
  if (list.groups.length > 0 || offset === 0) return { list, offset };
  return { list: await readResultsByPage(ctx, overview, { filter, offset: 0, lastSection: null }), offset: 0 };
}

/** Announced to screen readers when the results are filtered. */
function describeList({ groups, folded, more }: Awaited<ReturnType<typeof readResultsByPage>>): string {
  if (groups.length === 0) return folded.length === 0 ? 'No matching results' : 'No changes';
  return `Showing ${formatCount(groups.length, 'page')}${more === null ? '' : ', more below'}`;
}

/** What `runs/results` prints: the sections, and one part of the list. */
export async function resultsModel(ctx: Pick<Context, 'db'>, overview: RunOverview, view: ListView) {
  const { filter } = view;
  const { list, offset } = await listAt(ctx, overview, view);
  const { run, counts } = overview;
  const isRest = filter.rest === true;
  const isFresh = run.runType === 'MANUAL' && (filter.section === undefined || isRest);
  return {
    chips: isRest ? [] : sectionChips(overview, filter),
    list,
    back: withQuery(`/runs/${run.id}`, {
      view: isRest ? null : 'pages',
      ...filter,
      rest: undefined,
      offset: offset === 0 ? null : offset,
    }),
    forms: FORMS,
    isEmpty: list.groups.length === 0 && list.folded.length === 0 && !isRest,
    isCalm:
      run.status === 'COMPLETED' &&
      list.groups.length === 0 &&
      counts.new < overview.total &&
      (isRest ? overview.toDecide + counts.error === 0 : list.folded.length > 0),
    seeded:
      isFresh && counts.new > 0
        ? { count: counts.new, href: isRest ? runPath(run.id, { section: 'new' }) : null }
        : null,
    isFiltered: isAnySet(filter),
    said: describeList(list),
    clear: `/runs/${run.id}?view=pages`,
  };
}

/**
 * The sections, with the number of results that the run has in each one. Waiting and Cancelled are omitted if they are
 * empty. Then the reasons for which results do not count. A run without results has no chips.
 */
function sectionChips({ run, counts, causes, total }: RunOverview, filter: ReviewFilter) {
  const all = {
    label: 'All',
    icon: 'list-unordered',
    tone: 'muted',
    count: total,
    href: runPath(run.id, { ...filter, section: undefined, cause: undefined }),
    current: filter.section === undefined && filter.cause === undefined,
  };
  const shown = REVIEW_SECTIONS.filter(
    (section) =>
      counts[section] > 0 || section === filter.section || (section !== 'pending' && section !== 'cancelled'),
  );
  const bySection = shown.map((section) => ({
    label: nameSection(section),
    icon: SECTION_BADGES[section].icon,
    tone: counts[section] === 0 ? 'muted' : SECTION_BADGES[section].tone,
    count: counts[section],
    href: runPath(run.id, { ...filter, section, cause: undefined }),
    current: filter.section === section && filter.cause === undefined,
  }));
  const byCause = causes.map(({ cause, results }) => ({
    label: CAUSE_NAMES[cause],
    icon: SECTION_BADGES.uncounted.icon,
    tone: SECTION_BADGES.uncounted.tone,
    count: results,
    href: runPath(run.id, { ...filter, section: 'uncounted', cause }),
    current: filter.cause === cause,
  }));
  return total === 0 ? [] : [all, ...bySection, ...byCause];
}

/** The controls that filter a run's results. */
export function resultToolbar(overview: RunOverview, filter: ReviewFilter) {
  const { run, viewports, unapproved, hasEarlierApprovalOfMine } = overview;
  const isUnapproved = filter.unapproved === true;
  const isSinceMine = filter.sinceMine === true;
  return {
    action: `/runs/${run.id}`,
    section: filter.section ?? null,
    cause: filter.cause ?? null,
    search: filter.search ?? '',
    viewports: viewports.length < 2 ? [] : viewports.map((name) => ({ name, selected: name === filter.viewport })),
    unapproved: unapproved > 0 || isUnapproved ? { checked: isUnapproved } : null,
    sinceMine: hasEarlierApprovalOfMine || isSinceMine ? { checked: isSinceMine } : null,
    clear: isAnySet(filter) ? `/runs/${run.id}?view=pages` : null,
  };
}

import { isApprovable } from '../../review/approval/approvable.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { CAUSE_NAMES } from './cause-names.ts';
import type { ReviewFilter, ReviewGroup, ReviewHeading, ReviewRow } from '../../review/list/review-row.ts';
import type { ReviewSection } from '../../runs/results/review-section.ts';
import { isQuiet } from '../../runs/results/review-section.ts';
import { isDecidable } from '../../runs/run.ts';
import type { Can } from '../permissions.ts';
import { rowAnchor } from './result-filter.ts';
import type { ResultRow } from './result-row.ts';
import { isFaintChange, resultRow } from './result-row.ts';

/** What the partial `result-group` prints: a page with its viewports, and the actions for it. */
export type ResultGroup = {
  /** The ID of its element, which URL fragments refer to. */
  id: string;
  /** Set if a section starts here. */
  heading: SectionHeading | null;
  /** The page's title, or its path if it has none. */
  title: string;
  path: string;
  /** Whether the title differs from the path. */
  isNamed: boolean;
  /** The URL of the page's baselines and history. Null if the page was deleted. */
  history: string | null;
  /**
   * The IDs of all results that can be approved, as one value. Without scripts, a single check box represents them all.
   */
  tick: string | null;
  canRerun: boolean;
  /** Whether most people would hardly see any of its changes. */
  isFaint: boolean;
  shots: (ResultRow & { anchor: string; canTick: boolean })[];
};

type SectionHeading = { label: string; count: number | null };

export const SECTION_NAMES: Record<ReviewSection, string> = {
  changed: 'Changed',
  new: 'New',
  error: 'Errors',
  pending: 'Waiting',
  uncounted: 'Not counted',
  passed: 'Unchanged',
  cancelled: 'Cancelled',
};

/** What a part of a list is called: by its section, and by the cause of what is not counted. */
export function headingLabel({ section, cause }: ReviewHeading): string {
  return cause === null || cause === 'CHANGE' ? SECTION_NAMES[section] : CAUSE_NAMES[cause];
}

export type GroupsOf = {
  overview: RunOverview;
  can: Can;
  filter: ReviewFilter;
  /** The section of the group before these. */
  lastSection: ReviewSection | null;
};

const joinIds = (rows: ReviewRow[]) => rows.map((row) => row.id).join(',');

function buildGroup(group: ReviewGroup, { overview, can, filter }: GroupsOf): Omit<ResultGroup, 'heading'> {
  const { run, suite } = overview;
  const reviewable = can.approve && isDecidable(run.status);
  // Of what somebody asked to be changed one decides alone.
  const approvable = reviewable ? group.rows.filter((row) => isApprovable(run, row) && !row.changesRequested) : [];
  const section = filter.section ?? null;
  return {
    id: rowAnchor('page', group.rows[0]?.id ?? '', section),
    title: group.title ?? group.path,
    path: group.path,
    isNamed: group.title !== null && group.title !== group.path,
    history: group.pageId === null ? null : `/suites/${suite.id}/pages/${group.pageId}`,
    tick: approvable.length === 0 ? null : joinIds(approvable),
    canRerun: can.run && isDecidable(run.status) && group.rows.some((row) => row.section === 'error'),
    isFaint: group.section === 'changed' && group.rows.every((row) => isFaintChange(row) || isQuiet(row.section)),
    shots: group.rows.map((row) => ({
      ...resultRow(row, { runId: run.id, filter }),
      anchor: rowAnchor('result', row.id, section),
      canTick: approvable.includes(row),
    })),
  };
}

/** The groups of one part of the list, with a heading wherever a section starts. */
export function buildGroups(groups: ReviewGroup[], context: GroupsOf): ResultGroup[] {
  const { overview, filter } = context;
  const narrowed = { ...filter, section: undefined };
  const isWhole = Object.values(narrowed).every((value) => value === undefined || value === false);
  let last: ReviewHeading | null = context.lastSection === null ? null : { section: context.lastSection, cause: null };
  return groups.map((group) => {
    const { section, cause } = group.heading;
    const begins = section !== last?.section || cause !== last.cause;
    last = group.heading;
    const results =
      cause === null ? overview.counts[section] : overview.causes.find((each) => each.cause === cause)?.results;
    const heading = { label: headingLabel(group.heading), count: isWhole ? (results ?? null) : null };
    return { ...buildGroup(group, context), heading: begins ? heading : null };
  });
}

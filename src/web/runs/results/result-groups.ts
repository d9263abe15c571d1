import { knownName } from '../../../auth/user.ts';
import { isApprovable } from '../../../review/approval/approvable.ts';
import type { ReviewFilter, ReviewGroup, ReviewHeading, ReviewRow } from '../../../review/list/review-row.ts';
import type { RunOverview } from '../../../review/overview/read-run-overview.ts';
import { mayDecide, mayRerun } from '../../../runs/read-run.ts';
import { describeCause, isQuiet, type OtherCause, type ReviewSection } from '../../../runs/results/result.ts';
import { formatNumber } from '../../../text/format.ts';
import { readablePath } from '../../../text/readable-path.ts';
import { decisionBadge, noteScreenshot, SECTION_BADGES } from '../../badge.ts';
import { resultThumbnail } from '../../comparison/read-image.ts';
import { isAnySet } from '../../web-route.ts';
import { resultPath } from './address.ts';
import { toResultValue } from './change-list.ts';

/** One item of a list, or several faint changes that are folded. */
type Folded<T> = { one: T; faint: null } | { one: null; faint: { label: string; open: boolean; items: T[] } };

/**
 * Folds the faint changes of a list, which come one after the other.
 * @param isOpen whether the item must be seen, such as the one that is shown beside the list
 */
export function foldFaint<T>(
  items: T[],
  isFaint: (item: T) => boolean,
  isOpen: (item: T) => boolean = () => false,
): Folded<T>[] {
  const first = items.findIndex(isFaint);
  if (first === -1) return items.map((one) => ({ one, faint: null }));
  const end = items.findIndex((item, index) => index > first && !isFaint(item));
  const faint = items.slice(first, end === -1 ? items.length : end);
  const rest = end === -1 ? [] : items.slice(end);
  return [
    ...items.slice(0, first).map((one) => ({ one, faint: null })),
    {
      one: null,
      faint: { label: `Faint changes (${formatNumber(faint.length)})`, open: faint.some(isOpen), items: faint },
    },
    ...foldFaint(rest, isFaint, isOpen),
  ];
}

type ResultRowsOf = {
  runId: string;
  /** Included in the links, so that the review shows the same list. */
  filter: ReviewFilter;
  currentId?: string;
};

/** A change that most people would hardly see. It needs an approval like any other. */
export const isFaintChange = ({ section, faint }: Pick<ReviewRow, 'section' | 'faint'>): boolean =>
  section === 'changed' && faint;

const noteCause = ({ section, cause, ...about }: ReviewRow): string[] =>
  section !== 'uncounted' || cause === null || cause === 'CHANGE' ? [] : [describeCause(cause, about)];

/** Who approved a result, if that is known, and when. Null: nobody did. */
export const approvalOf = ({
  approved,
  approvedBy,
  approvedAt,
}: Pick<ReviewRow, 'approved' | 'approvedBy' | 'approvedAt'>) =>
  approved ? { by: knownName(approvedBy), at: approvedAt } : null;

/** What the partial `result-row` prints: one result in a list, as a link to its review. */
export function resultRow(row: ReviewRow, { runId, filter, currentId }: ResultRowsOf) {
  return {
    ...row,
    href: resultPath(runId, row.id, filter),
    badge: decisionBadge(row) ?? SECTION_BADGES[row.section],
    diff: row.section === 'changed' ? row.diffScore : null,
    approval: approvalOf(row),
    notes: [...(isFaintChange(row) ? ['faint'] : []), ...noteCause(row), ...noteScreenshot(row)],
    thumbnail: resultThumbnail(row),
    smallThumbnail: resultThumbnail(row, 'small'),
    current: row.id === currentId,
  };
}

/** Why results don't count, in the words of the filters. */
export const CAUSE_NAMES: Record<OtherCause, string> = {
  DRIFT: 'Drifted',
  BEHIND: 'Behind',
  FROM_PULL_REQUEST: 'From another pull request',
  ENGINE: 'Different browser',
  IGNORED: 'Ignored',
};

/** A section as a heading. Only errors are counted by their name. */
export const nameSection = (section: ReviewSection): string =>
  section === 'error' ? 'Errors' : SECTION_BADGES[section].label;

/**
 * What a part of a list is called, by its section, and by the cause of what is not counted.
 * @param isWhole whether the list has all results of the run, so that they are counted
 */
export function headingOf({ counts, causes }: RunOverview, { section, cause }: ReviewHeading, isWhole: boolean) {
  const results = cause === null ? counts[section] : causes.find((each) => each.cause === cause)?.results;
  const label = cause === null || cause === 'CHANGE' ? nameSection(section) : CAUSE_NAMES[cause];
  return { label, count: isWhole ? (results ?? null) : null };
}

/** Whether another part of the list begins here. */
export const isOtherPart = ({ section, cause }: ReviewHeading, last: ReviewHeading | null | undefined): boolean =>
  section !== last?.section || cause !== last.cause;

export type GroupsOf = {
  overview: RunOverview;
  filter: ReviewFilter;
  /** The section of the group before these. */
  lastSection: ReviewSection | null;
};

/** What the partial `result-group` prints: a page with its viewports, and the actions for it. */
function buildGroup(group: ReviewGroup, { overview, filter }: GroupsOf) {
  const { run } = overview;
  // Results with a request for changes are decided one at a time.
  const approvable = mayDecide(run) ? group.rows.filter((row) => isApprovable(run, row) && !row.changesRequested) : [];
  return {
    title: group.title ?? readablePath(group.path),
    path: group.path,
    isNamed: group.title !== null && group.title !== group.path,
    history: group.pageId === null ? null : `/suites/${run.suite.id}/pages/${group.pageId}`,
    tick: approvable.length === 0 ? null : approvable.map(toResultValue).join(','),
    canRerun: mayRerun(run) && group.rows.some((row) => row.section === 'error'),
    isFaint:
      group.heading.section === 'changed' && group.rows.every((row) => isFaintChange(row) || isQuiet(row.section)),
    shots: group.rows.map((row) => ({
      ...resultRow(row, { runId: run.id, filter }),
      tick: approvable.includes(row) ? toResultValue(row) : null,
    })),
  };
}

/** The groups of one part of the list, with a heading wherever a section starts. */
export function buildGroups(groups: ReviewGroup[], context: GroupsOf) {
  const { overview, filter } = context;
  const isWhole = !isAnySet({ ...filter, section: undefined });
  let last: ReviewHeading | null = context.lastSection === null ? null : { section: context.lastSection, cause: null };
  return groups.map((group) => {
    const begins = isOtherPart(group.heading, last);
    last = group.heading;
    return { ...buildGroup(group, context), heading: begins ? headingOf(overview, group.heading, isWhole) : null };
  });
}

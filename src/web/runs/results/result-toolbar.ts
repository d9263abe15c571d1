import type { ReviewFilter } from '../../../review/list/review-row.ts';
import type { RunOverview } from '../../../review/overview/read-run-overview.ts';
import { REVIEW_SECTIONS } from '../../../runs/results/review-section.ts';
import { SECTION_BADGES } from '../../badge.ts';
import { isAnySet } from '../../web-route.ts';
import { runPath } from './address.ts';
import { CAUSE_NAMES, nameSection } from './result-groups.ts';

/**
 * The sections, with the number of results that the run has in each one. Waiting and Cancelled are omitted if they are
 * empty. Then the reasons for which results do not count. A run without results has no chips.
 */
export function sectionChips({ run, counts, causes, total }: RunOverview, filter: ReviewFilter) {
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
    clear: isAnySet(filter) ? `/runs/${run.id}` : null,
  };
}

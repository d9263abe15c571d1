import type { BaselineVersionEvent } from '../../baselines/baseline.ts';
import type { Config } from '../../config.ts';
import { thumbnailUrl } from '../../http/image-url.ts';
import type { SitePage } from '../../pages/site-page.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import type { ResultOfPage } from '../../runs/results/result-of-page.ts';
import { findSection } from '../../review/list/review-section.ts';
import type { Badge } from '../badge.ts';
import { APPROVED_BADGE, SECTION_BADGES } from '../badge.ts';
import { describeStability } from '../stability.ts';
import { listPermissions } from '../permissions.ts';
import { imagePath } from '../review/read-image.ts';
import type { VersionOrigin } from './version-text.ts';
import { formatApprover, describeOrigin } from './version-text.ts';
import { comparePath } from './page-path.ts';

/** One version in a page's history. */
export type TimelineEntry = {
  id: string;
  version: number;
  viewport: string;
  /** Whether the next run is compared with this version. */
  current: boolean;
  currentBadge: Badge;
  by: string | null;
  at: Date;
  origin: VersionOrigin;
  note: string | null;
  /**
   * The percentage of pixels that differ from the previous version. Null for the first version, or if it is not known.
   */
  diff: number | null;
  image: string;
  thumbnail: string;
  /** The URL of the comparison with the previous version. Null for the first version. */
  compare: string | null;
  /** Whether it is initially selected for a comparison. */
  from: boolean;
  to: boolean;
  mayRestore: boolean;
};

const CURRENT: Badge = { label: 'Current', tone: 'success', icon: 'check' };

/** px. Twice the width at which it is shown, for dense screens. */
const THUMBNAIL_WIDTH = 192;

/** The initial selection for a comparison: the newest version shown, and the one before it at the same viewport. */
function defaultChoice(events: BaselineVersionEvent[]): { from: string | null; to: string | null } {
  const newest = events.find((event) => event.previousVersionId !== null);
  return { from: newest?.previousVersionId ?? null, to: newest?.id ?? null };
}

/** @param currentIds the current version of each viewport */
export function buildTimeline(
  { config, suite, page }: { config: Config; suite: SuiteForViewer; page: SitePage },
  events: BaselineVersionEvent[],
  currentIds: Set<string>,
): TimelineEntry[] {
  const chosen = defaultChoice(events);
  const mayApprove = listPermissions(suite.access).approve;
  return events.map((event) => ({
    id: event.id,
    version: event.version,
    viewport: event.viewport,
    current: currentIds.has(event.id),
    currentBadge: CURRENT,
    by: formatApprover(event),
    at: event.approvedAt,
    origin: describeOrigin(event, suite.codehost, config),
    note: event.note,
    diff: event.diffScore,
    image: imagePath(config, event.filePath),
    thumbnail: thumbnailUrl({ publicUrl: '' }, event.filePath, THUMBNAIL_WIDTH),
    compare:
      event.previousVersionId === null ? null : comparePath(page, { from: event.previousVersionId, to: event.id }),
    from: event.id === chosen.from,
    to: event.id === chosen.to,
    mayRestore: mayApprove && !currentIds.has(event.id),
  }));
}

/** A result in a page's history. */
type ResultEntry = {
  id: string;
  viewport: string;
  at: Date;
  href: string;
  run: string;
  badge: Badge;
  diff: number | null;
  stability: string | null;
};

function resultEntry(result: ResultOfPage): ResultEntry {
  const { id, testRunId, viewport, at, runNumber, approved, status, diffScore } = result;
  return {
    id,
    viewport,
    at,
    href: `/runs/${testRunId}/results/${id}`,
    run: `#${runNumber}`,
    badge: approved ? APPROVED_BADGE : SECTION_BADGES[findSection(result)],
    diff: status === 'FAIL' ? diffScore : null,
    stability: describeStability(result),
  };
}

export type HistoryItem = { version: TimelineEntry | null; result: ResultEntry | null };

/**
 * Versions and results in one line of time, newest first. A result that became a version is that version.
 * @param isLast whether older versions follow, with which older results belong
 */
export function mergeHistory(
  versions: TimelineEntry[],
  results: ResultOfPage[],
  { promoted, isFirst, isLast }: { promoted: ReadonlySet<string>; isFirst: boolean; isLast: boolean },
): HistoryItem[] {
  const [newest, oldest] = [versions[0]?.at.getTime() ?? Infinity, versions.at(-1)?.at.getTime() ?? -Infinity];
  const isShown = ({ id, at }: ResultOfPage) =>
    !promoted.has(id) && (isFirst || at.getTime() <= newest) && (isLast || at.getTime() > oldest);
  const items = [
    ...versions.map((version) => ({ at: version.at, item: { version, result: null } })),
    ...results
      .filter(isShown)
      .map((result) => ({ at: result.at, item: { version: null, result: resultEntry(result) } })),
  ];
  return items.toSorted((one, other) => other.at.getTime() - one.at.getTime()).map(({ item }) => item);
}

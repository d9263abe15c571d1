import type { BaselineVersionEvent } from '../../baselines/baseline.ts';
import type { Config } from '../../config.ts';
import { thumbnailUrl } from '../../http/image-url.ts';
import type { SitePage } from '../../pages/site-page.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import type { Badge } from '../badge.ts';
import { listPermissions } from '../permissions.ts';
import { picturePath } from '../review/read-screenshot.ts';
import type { VersionOrigin } from './version-text.ts';
import { formatApprover, describeOrigin } from './version-text.ts';
import { comparePath } from './page-path.ts';

/** One version in a page's history. */
export type TimelineEntry = {
  id: string;
  version: number;
  viewport: string;
  /** The next run is compared with it. */
  current: boolean;
  currentBadge: Badge;
  by: string | null;
  at: Date;
  origin: VersionOrigin;
  note: string | null;
  /** Percentage of pixels that differ from the version before; null for the first, or where it is not known. */
  diff: number | null;
  picture: string;
  thumbnail: string;
  /** Address; null for the first. */
  compare: string | null;
  /** Chosen for a comparison. */
  from: boolean;
  to: boolean;
  mayRestore: boolean;
};

const CURRENT: Badge = { label: 'Current', tone: 'success', icon: 'check' };

/** Half of the thumbnail's px: dense screens show two for one. */
const THUMBNAIL_WIDTH = 192;

/** What a comparison starts out with: the newest version shown, and the one before it at the same viewport. */
function defaultChoice(events: BaselineVersionEvent[]): { from: string | null; to: string | null } {
  const newest = events.find((event) => event.previousVersionId !== null);
  return { from: newest?.previousVersionId ?? null, to: newest?.id ?? null };
}

/** @param currentIds of the versions that are current, one a viewport */
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
    picture: picturePath(config, event.filePath),
    thumbnail: thumbnailUrl({ publicUrl: '' }, event.filePath, THUMBNAIL_WIDTH),
    compare:
      event.previousVersionId === null ? null : comparePath(page, { from: event.previousVersionId, to: event.id }),
    from: event.id === chosen.from,
    to: event.id === chosen.to,
    mayRestore: mayApprove && !currentIds.has(event.id),
  }));
}

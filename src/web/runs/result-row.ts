import { thumbnailUrl } from '../../http/image-url.ts';
import type { ReviewFilter, ReviewRow } from '../../review/review-row.ts';
import type { Badge } from '../badge.ts';
import { APPROVED_BADGE, SECTION_BADGES } from '../badge.ts';
import { resultPath } from './result-filter.ts';

/** What the partial `result-row` prints: one result in a list, as a link to its review. */
export type ResultRow = {
  id: string;
  href: string;
  path: string;
  viewport: string;
  badge: Badge;
  /** Percentage of differing pixels; null where nothing was compared, or nothing differs. */
  diff: number | null;
  /** `by` is null when the account was deleted since. */
  approval: { by: string | null; at: Date | null } | null;
  error: string | null;
  /** Of the picture's top; null where none was taken. */
  thumbnail: string | null;
  /** The one that is open beside the list. */
  current: boolean;
};

/** Twice the width at which it is shown, for dense screens. */
const THUMBNAIL_WIDTH = 192;

/** By path: the page may be open under another name of the host than `PUBLIC_URL` says, as 127.0.0.1 for localhost. */
const OWN = { publicUrl: '' };

export type ResultRowsOf = {
  runId: string;
  /** Kept in the links, so that the review has the same list beside it. */
  filter: ReviewFilter;
  currentId?: string;
};

export function resultRow(row: ReviewRow, { runId, filter, currentId }: ResultRowsOf): ResultRow {
  return {
    id: row.id,
    href: resultPath(runId, row.id, filter),
    path: row.path,
    viewport: row.viewport,
    badge: row.approved ? APPROVED_BADGE : SECTION_BADGES[row.section],
    diff: row.section === 'changed' ? row.diffScore : null,
    approval: row.approved ? { by: row.approvedBy?.name ?? row.approvedBy?.email ?? null, at: row.approvedAt } : null,
    error: row.error,
    thumbnail: row.currentFile === null ? null : thumbnailUrl(OWN, row.currentFile, THUMBNAIL_WIDTH),
    current: row.id === currentId,
  };
}

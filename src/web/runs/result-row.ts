import { changeThumbnailUrl, thumbnailUrl } from '../../http/image-url.ts';
import type { PageResult } from '../../runs/results/result.ts';
import type { ReviewFilter, ReviewRow } from '../../review/list/review-row.ts';
import { describeCause } from '../../runs/results/cause-words.ts';
import type { Badge } from '../badge.ts';
import { noteScreenshot } from '../stability.ts';
import { SECTION_BADGES, decisionBadge } from '../badge.ts';
import { resultPath } from './result-filter.ts';

/** What the partial `result-row` prints: one result in a list, as a link to its review. */
export type ResultRow = {
  id: string;
  href: string;
  path: string;
  viewport: string;
  badge: Badge;
  /** The percentage of differing pixels. Null if nothing was compared, or if nothing differs. */
  diff: number | null;
  /** `by` is null if the account was deleted. */
  approval: { by: string | null; at: Date | null } | null;
  error: string | null;
  /** What else there is to know about the screenshot. */
  notes: string[];
  /** Shows the first change, or the top of the screenshot. Null if there is no screenshot. */
  thumbnail: string | null;
  smallThumbnail: string | null;
  /** Whether it is the result that is open next to the list. */
  current: boolean;
};

/** px. Twice the widths at which they are shown in a grid and in a list, for dense screens. */
const THUMBNAIL_WIDTHS = { large: 384, small: 192 } as const;

/**
 * Images are loaded by path, because the page may be open under another hostname than the one in `PUBLIC_URL`, such as
 * 127.0.0.1 for localhost.
 */
const OWN = { publicUrl: '' };

/** The URL of a result's thumbnail. Null if it has no screenshot. */
export function resultThumbnail(
  { id, status, currentFile }: Pick<PageResult, 'id' | 'status' | 'currentFile'>,
  as: keyof typeof THUMBNAIL_WIDTHS = 'large',
): string | null {
  if (currentFile === null) return null;
  const width = THUMBNAIL_WIDTHS[as];
  if (status === 'FAIL') return changeThumbnailUrl(OWN, { file: currentFile, resultId: id }, width);
  return thumbnailUrl(OWN, currentFile, width);
}

export type ResultRowsOf = {
  runId: string;
  /** Included in the links, so that the review shows the same list. */
  filter: ReviewFilter;
  currentId?: string;
};

/** A change that most people would hardly see. It needs an approval as any other. */
export const isFaintChange = ({ section, faint }: Pick<ReviewRow, 'section' | 'faint'>): boolean =>
  section === 'changed' && faint;

const noteCause = ({ section, cause, ...about }: ReviewRow): string[] =>
  section !== 'uncounted' || cause === null || cause === 'CHANGE' ? [] : [describeCause(cause, about)];

export function resultRow(row: ReviewRow, { runId, filter, currentId }: ResultRowsOf): ResultRow {
  return {
    id: row.id,
    href: resultPath(runId, row.id, filter),
    path: row.path,
    viewport: row.viewport,
    badge: decisionBadge(row) ?? SECTION_BADGES[row.section],
    diff: row.section === 'changed' ? row.diffScore : null,
    approval: row.approved ? { by: row.approvedBy?.name ?? row.approvedBy?.email ?? null, at: row.approvedAt } : null,
    error: row.error,
    notes: [...(isFaintChange(row) ? ['faint'] : []), ...noteCause(row), ...noteScreenshot(row)],
    thumbnail: resultThumbnail(row),
    smallThumbnail: resultThumbnail(row, 'small'),
    current: row.id === currentId,
  };
}

import { capitalize } from '../text/format.ts';

/** The kinds of events that people and programs can be told of. The others are only recorded. */
export const TOLD_KINDS = [
  'run.completed',
  'run.failed',
  'review.required',
  'review.assigned',
  'review.approved',
  'review.changes_requested',
  'comment.created',
  'baseline.promoted',
  'crawl.failed',
  'pages.found',
  'pages.removed',
  'drift.found',
  'schedule.missed',
] as const;

const TOLD: ReadonlySet<string> = new Set(TOLD_KINDS);

export const isTold = (kind: string): boolean => TOLD.has(kind);

/** A kind of event as people read it: `Review changes requested`. */
export const nameKind = (kind: string): string =>
  capitalize(kind.replaceAll('.', ' ').replaceAll('_', ' ')).replace('Github', 'GitHub');

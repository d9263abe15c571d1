/** Which events are wanted. `from` is included, `to` is not. */
export type EventFilter = {
  suiteId?: string | undefined;
  runId?: string | undefined;
  kind?: string | undefined;
  actorId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** The number of an event, which is its place in lists. */
export type EventPlace = [id: number];

/** The kinds that everyone who may read a suite sees of it. The others are for those who may share it. */
export const TIMELINE_KINDS: readonly string[] = [
  'run.completed',
  'run.failed',
  'run.cancelled',
  'review.required',
  'review.approved',
  'review.carried_over',
  'review.changes_requested',
  'review.undone',
  'review.counted',
  'comment.created',
  'comment.deleted',
  'baseline.promoted',
  'baseline.restored',
  'drift.found',
  'crawl.failed',
  'pages.found',
  'pages.removed',
  'pages.changed',
  'page.added',
  'schedule.missed',
  'change.ignored',
  'change.unignored',
];

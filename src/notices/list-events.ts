import { may, type Permission } from '../access/role.ts';
import { readBatches } from '../async/batches.ts';
import { isAdministrator } from '../auth/manage-accounts.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { cutList, type Listed, type ListPart } from '../db/list-part.ts';
import { forbidden, notFound } from '../errors.ts';
import { EVENT_KINDS } from '../events/describe-event.ts';
import { findEvents } from '../events/event-store.ts';
import type { EventFilter, EventPlace, RecordedEvent } from '../events/event.ts';
import { getRunFor } from '../runs/read-run.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import type { SuiteFor } from '../suites/suite.ts';

/** The kinds that everyone who may read a suite sees of it. The others are for those who may share it. */
const TIMELINE_KINDS: readonly string[] = [
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

const AUDIT: Permission = 'suite.share';

/** What a viewer may see: everything that fits the filter, or only the timeline, without addresses. */
type Sight = { filter: EventFilter; isWhole: boolean };

async function findSuiteOf(ctx: Pick<Context, 'db'>, viewer: Viewer, filter: EventFilter): Promise<SuiteFor | null> {
  if (filter.runId !== undefined) {
    const { suite } = await getRunFor(ctx, viewer, filter.runId, 'suite.read');
    if (filter.suiteId !== undefined && filter.suiteId !== suite.id) throw notFound('Run');
    return suite;
  }
  return filter.suiteId === undefined ? null : getSuiteFor(ctx, viewer, filter.suiteId, 'suite.read');
}

async function look(ctx: Pick<Context, 'db'>, viewer: Viewer, filter: EventFilter): Promise<Sight> {
  // Also of suites and runs that are gone.
  if (await isAdministrator(ctx, viewer)) return { filter, isWhole: true };
  const suite = await findSuiteOf(ctx, viewer, filter);
  if (suite === null) throw forbidden('Only an administrator sees the events of the whole installation');
  const isWhole = viewer.within === undefined && may(suite.access.role, AUDIT);
  return { filter: { ...filter, suiteId: suite.id }, isWhole };
}

const withoutAddress = (event: RecordedEvent): RecordedEvent => ({
  ...event,
  actor: { ...event.actor, address: null },
});

async function findSeen(db: Db, { filter, isWhole }: Sight, part: ListPart<EventPlace>): Promise<RecordedEvent[]> {
  if (isWhole) return findEvents(db, filter, part);
  return (await findEvents(db, { ...filter, kinds: TIMELINE_KINDS }, part)).map(withoutAddress);
}

/**
 * What happened, newest first. An administrator sees everything; whoever may share a suite, everything about it; its other
 * readers, its timeline (docs/rules.md, Who may do what). `kinds`: those that the viewer may see.
 * @throws AppError not_found for a suite or run that the viewer may not read; forbidden without either.
 */
export async function listEvents(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  wanted: EventFilter,
  part: ListPart<EventPlace>,
): Promise<Listed<RecordedEvent, EventPlace> & { kinds: readonly string[] }> {
  const sight = await look(ctx, viewer, wanted);
  const found = await findSeen(ctx.db, sight, { ...part, limit: part.limit + 1 });
  const kinds = sight.isWhole ? EVENT_KINDS : TIMELINE_KINDS;
  return { ...cutList(found, part.limit, ({ id }) => [id]), kinds };
}

const BATCH = 500;

/** The same list without an end, in batches that are read on request. @throws AppError as {@link listEvents} */
export async function readAllEvents(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  wanted: EventFilter,
): Promise<AsyncIterable<RecordedEvent[]>> {
  const sight = await look({ db }, viewer, wanted);
  return readBatches<RecordedEvent>(BATCH, async (last, limit) =>
    findSeen(db, sight, { limit, after: last === null ? null : [last.id] }),
  );
}

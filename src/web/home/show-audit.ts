import { z } from 'zod';
import { findAccountByEmail } from '../../auth/find-account.ts';
import { requireAdministrator } from '../../auth/manage-accounts.ts';
import { EMAIL_MAX_LENGTH, type Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { describeEvent, EVENT_KINDS } from '../../events/describe-event.ts';
import { nameKind, type EventFilter, type EventPlace, type RecordedEvent } from '../../events/event.ts';
import { Id, onSuite } from '../../http/acts-on.ts';
import { listEvents } from '../../notices/list-events.ts';
import type { SuiteFor, SuiteForViewer } from '../../suites/suite.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { buildFields, queryText } from '../form-field.ts';
import { placePage } from '../suites/suite-head.ts';
import { isAnySet, pageRoute, withQuery, type Reply, type Route } from '../web-route.ts';

const AT_ONCE = 50;
const DAY_MS = 86_400_000;
/** Nobody's ID. People without an account did nothing. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

const id = Id.optional().catch(undefined);
const day = z.iso.date().optional().catch(undefined);

/** Unknown values are ignored. */
const Query = z.object({
  kind: z.enum(EVENT_KINDS).optional().catch(undefined),
  person: queryText(EMAIL_MAX_LENGTH),
  from: day,
  to: day,
  run: id,
  /** On the page of the installation. */
  suite: id,
  /** The number of the last event on the page before. */
  before: typedNumber(1).optional().catch(undefined),
});
type Chosen = Omit<z.output<typeof Query>, 'before'>;

/** Days are those of UTC, and both are included. */
async function toFilter(ctx: Context, suiteId: string | undefined, chosen: Chosen): Promise<EventFilter> {
  const { kind, person, from, to, run } = chosen;
  const actorId = person === undefined ? undefined : ((await findAccountByEmail(ctx, person))?.id ?? NOBODY);
  return {
    suiteId,
    runId: run,
    kind,
    actorId,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
  };
}

function filterFields({ kind, person, from, to }: Chosen, kinds: readonly string[]) {
  const named = kinds.map((value) => ({ value, label: nameKind(value) }));
  const options = named.toSorted((one, other) => one.label.localeCompare(other.label));
  return buildFields(
    {
      kind: { label: 'Event', type: 'select', value: kind ?? '', options: [{ value: '', label: 'Any' }, ...options] },
      person: {
        label: 'Person',
        value: person ?? '',
        attributes: { maxlength: EMAIL_MAX_LENGTH, placeholder: 'Email address', autocomplete: 'off' },
      },
      from: { label: 'From (UTC)', type: 'date', value: from ?? '' },
      to: { label: 'To (UTC)', type: 'date', value: to ?? '' },
    },
    null,
  );
}

/** The same list as a file of the API. */
function exportLinks({ from, to, ...filter }: EventFilter) {
  const href = (format: string) =>
    withQuery('/api/events/export', { ...filter, from: from?.toISOString(), to: to?.toISOString(), format });
  return [
    { label: 'Export CSV', href: href('csv') },
    { label: 'Export JSON lines', href: href('jsonl') },
  ];
}

const eventRow = (event: RecordedEvent, suite: SuiteForViewer | null) => ({
  text: describeEvent(event),
  kind: nameKind(event.kind),
  at: event.at,
  address: event.actor.address,
  run: event.runId === null ? null : `/runs/${event.runId}`,
  suite: suite !== null || event.suiteId === null ? null : withQuery('/audit', { suite: event.suiteId }),
});

type AuditRequest = { viewer: Viewer; suite: SuiteFor | null; query: z.output<typeof Query> };

async function showAudit(ctx: Context, { viewer, suite, query }: AuditRequest): Promise<Reply> {
  const { before, ...chosen } = query;
  const path = suite === null ? '/audit' : `/suites/${suite.id}/audit`;
  const filter = await toFilter(ctx, suite?.id ?? chosen.suite, chosen);
  const after: EventPlace | null = before === undefined ? null : [before];
  const { items, next, kinds } = await listEvents(ctx, viewer, filter, { limit: AT_ONCE, after });
  const model = {
    path,
    fields: filterFields(chosen, kinds),
    within: { run: chosen.run ?? null, suite: suite === null ? (chosen.suite ?? null) : null },
    isFiltered: isAnySet(chosen),
    events: items.map((event) => eventRow(event, suite)),
    newest: before === undefined ? null : withQuery(path, chosen),
    older: next === null ? null : withQuery(path, { ...chosen, before: next[0] }),
    exports: exportLinks(filter),
  };
  return placePage(ctx, suite, { view: 'audit/events', title: 'Audit log', model });
}

const onInstallation = {
  load: async (ctx: Context, viewer: Viewer) => {
    await requireAdministrator(ctx, viewer);
    return { suite: null };
  },
};

/** What happened: in a suite, and in the installation. */
export const AUDIT_ROUTES: readonly Route[] = [
  pageRoute({ path: '/suites/:id/audit', ...onSuite('suite.read'), query: Query }, showAudit),
  pageRoute({ path: '/audit', ...onInstallation, query: Query }, showAudit),
];

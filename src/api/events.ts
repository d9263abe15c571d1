import { z } from 'zod';
import { describeEvent, EVENT_KINDS } from '../events/describe-event.ts';
import { ACTOR_KINDS, type RecordedEvent } from '../events/event.ts';
import { Id } from '../http/acts-on.ts';
import { listEvents, readAllEvents } from '../notices/list-events.ts';
import { fileRoute, listRoute } from './api-route.ts';
import { presenter } from './presenter.ts';
import { IsoDate, namedObject, PublicId } from './suite-schemas.ts';

/** With these, a spreadsheet begins a formula. Some take the wide forms as well. */
const FORMULA = new Set('=+-@\t\r\n＝＋－＠');

function writeCell(text: string): string {
  const defused = FORMULA.has(text.charAt(0)) ? `'${text}` : text;
  return `"${defused.replaceAll('"', '""')}"`;
}

/** A row as RFC 4180 says. A cell that a spreadsheet would take for a formula gets an apostrophe before it. */
export const writeCsvRow = (cells: readonly string[]): string => `${cells.map(writeCell).join(',')}\r\n`;

const Moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO-8601 timestamp' })
  .transform((text) => new Date(text));

const ListEventsQuery = z.object({
  suiteId: Id.optional().describe('Of this suite'),
  runId: Id.optional().describe('Of this run'),
  kind: z.enum(EVENT_KINDS, 'must be a kind of event').optional().describe('Of this kind'),
  actorId: Id.optional().describe('By this account, or by a program for it'),
  from: Moment.optional().describe('Not before this time'),
  to: Moment.optional().describe('Before this time'),
});

const ExportEventsQuery = ListEventsQuery.extend({
  format: z
    .enum(['csv', 'jsonl'])
    .default('csv')
    .describe('`csv`: with the names of the columns first. `jsonl`: an event in each line'),
});

const EventPlace = z.tuple([z.int()]);

const ShownEvent = namedObject('Event', {
  id: z.int(),
  at: IsoDate,
  kind: z.string(),
  text: z.string().describe('What happened, as a sentence'),
  actor: z.object({
    kind: z.enum(ACTOR_KINDS),
    id: PublicId.nullable().describe('The account'),
    name: z.string().nullable(),
    via: z.string().nullable().describe('The token’s name, the agent’s own name, or the account on GitHub'),
    address: z
      .string()
      .nullable()
      .describe('Where the request came from. Only administrators, and who may share the suite, see it'),
  }),
  suiteId: PublicId.nullable(),
  runId: PublicId.nullable(),
  details: z.record(z.string(), z.unknown()).describe('More about it. Its fields belong to the kind'),
});

const FAILURES = {
  403: 'Only an administrator may list the events of the whole installation',
  404: 'The suite or run does not exist, or you have no access to it',
} as const;

const tell = (event: RecordedEvent) => ({ ...event, text: describeEvent(event) });

export const getEvents = listRoute(
  {
    operationId: 'listEvents',
    summary: 'What happened, who did it and from where, newest first: of a suite, of a run, or of the installation',
    query: ListEventsQuery,
    response: z.array(ShownEvent),
    list: { most: 1000, usual: 100, place: EventPlace },
    failures: FAILURES,
  },
  async (ctx, { viewer, query, part }) => {
    const { items, next } = await listEvents(ctx, viewer, query, part);
    return { items: items.map(tell), next };
  },
);

const COLUMNS = ['id', 'at', 'kind', 'text', 'by', 'account', 'name', 'via', 'address', 'suite', 'run', 'details'];

const csvRow = ({ id, at, kind, actor, suiteId, runId, details, ...event }: RecordedEvent): string =>
  writeCsvRow([
    String(id),
    at.toISOString(),
    kind,
    describeEvent({ ...event, kind, actor, details }),
    actor.kind,
    actor.id ?? '',
    actor.name ?? '',
    actor.via ?? '',
    actor.address ?? '',
    suiteId ?? '',
    runId ?? '',
    JSON.stringify(details),
  ]);

async function* mapTexts(
  first: string,
  batches: AsyncIterable<RecordedEvent[]>,
  write: (event: RecordedEvent) => string,
): AsyncGenerator<string> {
  yield first;
  for await (const batch of batches) yield batch.map(write).join('');
}

const show = presenter(ShownEvent);

export const getEventsFile = fileRoute(
  {
    operationId: 'exportEvents',
    summary: 'The same list as a file, whole',
    description: 'In CSV, a cell that a spreadsheet would take for a formula begins with an apostrophe.',
    query: ExportEventsQuery,
    fileTypes: ['text/csv', 'application/jsonl'],
    failures: FAILURES,
  },
  async (ctx, { viewer, query: { format, ...filter } }) => {
    const batches = await readAllEvents(ctx, viewer, filter);
    const line = (event: RecordedEvent) => `${JSON.stringify(show(tell(event), ctx.config))}\n`;
    return format === 'csv'
      ? { name: 'events.csv', type: 'text/csv', texts: mapTexts(writeCsvRow(COLUMNS), batches, csvRow) }
      : { name: 'events.jsonl', type: 'application/jsonl', texts: mapTexts('', batches, line) };
  },
);

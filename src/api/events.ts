import { z } from 'zod';
import { describeEvent } from '../events/describe-event.ts';
import type { RecordedEvent } from '../events/event.ts';
import { listEvents, readAllEvents } from '../notices/list-events.ts';
import { writeCsvRow } from '../text/csv.ts';
import { fileRoute, listRoute } from './api-route.ts';
import { presenter } from './presenter.ts';
import * as shapes from './schemas/event-schemas.ts';

const FAILURES = {
  403: 'Only an administrator may list the events of the whole installation',
  404: 'The suite or run does not exist, or you have no access to it',
} as const;

const tell = (event: RecordedEvent) => ({ ...event, text: describeEvent(event) });

export const getEvents = listRoute(
  {
    operationId: 'listEvents',
    summary: 'What happened, who did it and from where, newest first: of a suite, of a run, or of the installation',
    query: shapes.ListEventsQuery,
    response: z.array(shapes.RecordedEvent),
    list: { most: 1000, usual: 100, place: shapes.EventPlace },
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

const show = presenter(shapes.RecordedEvent);

export const getEventsFile = fileRoute(
  {
    operationId: 'exportEvents',
    summary: 'The same list as a file, whole',
    description: 'In CSV, a cell that a spreadsheet would take for a formula begins with an apostrophe.',
    query: shapes.ExportEventsQuery,
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

import { z } from 'zod';
import { EVENT_KINDS } from '../../events/describe-event.ts';
import { Id } from '../../http/acts-on.ts';
import { IsoDate, namedObject, PublicId } from './common-schemas.ts';

const Moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO-8601 timestamp' })
  .transform((text) => new Date(text));

export const ListEventsQuery = z.object({
  suiteId: Id.optional().describe('Of this suite'),
  runId: Id.optional().describe('Of this run'),
  kind: z.enum(EVENT_KINDS, 'must be a kind of event').optional().describe('Of this kind'),
  actorId: Id.optional().describe('By this account, or by a program for it'),
  from: Moment.optional().describe('Not before this time'),
  to: Moment.optional().describe('Before this time'),
});

export const ExportEventsQuery = ListEventsQuery.extend({
  format: z
    .enum(['csv', 'jsonl'])
    .default('csv')
    .describe('`csv`: with the names of the columns first. `jsonl`: an event in each line'),
});

export const EventPlace = z.tuple([z.int()]);

export const RecordedEvent = namedObject('Event', {
  id: z.int(),
  at: IsoDate,
  kind: z.string(),
  text: z.string().describe('What happened, as a sentence'),
  actor: z.object({
    kind: z.enum(['person', 'token', 'agent', 'github', 'webhook', 'clock']),
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

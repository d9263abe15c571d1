import { z } from 'zod';
import { listEvents } from '../audit/list-events.ts';
import { describeEvent } from '../events/describe-event.ts';
import { listRoute } from './api-route.ts';
import * as shapes from './schemas/event-schemas.ts';

export const getEvents = listRoute(
  {
    operationId: 'listEvents',
    summary: 'What happened, who did it and from where, newest first: of a suite, of a run, or of the installation',
    tag: 'Events',
    status: 200,
    query: shapes.ListEventsQuery,
    response: z.array(shapes.RecordedEvent),
    list: { most: 1000, usual: 100, place: shapes.EventPlace },
    failures: {
      403: 'Only an administrator may list the events of the whole installation',
      404: 'The suite or run does not exist, or you have no access to it',
    },
  },
  async (ctx, { viewer, query, part }) => {
    const { items, next } = await listEvents(ctx, viewer, query, part);
    return { body: items.map((event) => ({ ...event, text: describeEvent(event) })), next };
  },
);

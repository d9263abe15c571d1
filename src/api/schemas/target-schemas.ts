import { z } from 'zod';
import { TOLD_KINDS } from '../../events/event-kind.ts';
import { Id } from '../../http/acts-on.ts';
import { TargetChangeInput, TargetInput } from '../../notices/change-target.ts';
import { DELIVERY_STATES } from '../../notices/delivery.ts';
import { TARGET_KINDS, TELLS } from '../../notices/target.ts';
import { IsoDate, IsoText, named, namedObject, PublicId, recordFields } from './common-schemas.ts';

export const TargetParams = z.object({ targetId: Id });
export const DeliveryParams = z.object({
  targetId: Id,
  deliveryId: z.coerce.number('must be a whole number').int().min(1).max(Number.MAX_SAFE_INTEGER),
});

export const CreateTargetInput = named(
  'CreateTargetInput',
  TargetInput.describe(
    '`listens`: kinds of events; default: all for a webhook, and how runs and crawls ended for a channel. `tells`: `FAILED` is only what failed or waits for a review. `bot`: for Slack, uploads pictures of the three largest changes into the channel; its token is never returned',
  ),
);

export const UpdateTargetInput = named('UpdateTargetInput', TargetChangeInput);

const Target = namedObject('Target', {
  ...recordFields,
  testSuiteId: PublicId.nullable().describe('null: it is told of all suites'),
  kind: z.enum(TARGET_KINDS),
  name: z.string(),
  host: z.string().describe('Of its address, which is never returned'),
  channel: z.string().nullable().describe('Of Slack: where pictures of the largest changes are uploaded'),
  listens: z.array(z.string()),
  tells: z.enum(TELLS),
  stoppedBecause: z
    .string()
    .nullable()
    .describe(
      'Why nothing is sent any more. A test message that arrives puts it back in use, unless it was switched off',
    ),
});

export const ChangedTarget = namedObject('ChangedTarget', { target: Target });

export const TargetList = z.array(
  Target.extend({
    waiting: z.int().describe('Messages that it did not get yet'),
    retryAt: IsoDate.nullable().describe('When the message that failed is sent again'),
  }),
);

export const CreatedTarget = namedObject('CreatedTarget', {
  target: Target,
  secret: z.string().nullable().describe('Verifies signatures. It is never shown again. null for channels'),
});

export const DeliveryList = z
  .array(
    namedObject('Delivery', {
      id: z.int(),
      messageId: z.string().describe('The `webhook-id`, the same each time it is sent'),
      state: z.enum(DELIVERY_STATES),
      attempts: z.int(),
      dueAt: IsoDate.describe('When it is sent next, if it waits'),
      triedAt: IsoDate.nullable(),
      tookMs: z.int().nullable(),
      request: z.string().describe('The body'),
      status: z.int().nullable().describe('Of the last answer'),
      answer: z.string().nullable().describe('Its first 2,000 bytes'),
      error: z.string().nullable().describe('Why the last attempt does not count'),
      createdAt: IsoDate,
    }),
  )
  .describe('The newest first: all that wait, and the last 100 of the others; at most 100 in total');

/** The body of a webhook, by the type of its event. */
export const WebhookMessage = namedObject('WebhookMessage', {
  type: z.enum([...TOLD_KINDS, 'test']),
  timestamp: IsoText.describe('When it happened'),
  data: z.object({
    suite: z.object({ id: PublicId, name: z.string(), url: z.string() }).nullable(),
    run: z.object({ id: PublicId, number: z.int(), name: z.string(), url: z.string() }).nullable(),
    actor: z.object({
      kind: z.enum(['person', 'token', 'agent', 'github', 'webhook', 'clock']),
      name: z.string().nullable(),
      via: z.string().nullable(),
    }),
    causes: z
      .array(z.object({ summary: z.string(), element: z.string(), results: z.int() }))
      .describe('What changed in the run, at most 10'),
    details: z.record(z.string(), z.unknown()).describe('What else the event tells. More may be added'),
  }),
});

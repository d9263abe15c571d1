import { z } from 'zod';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { ACTOR_KINDS, TOLD_KINDS } from '../events/event.ts';
import { Id, onSuite } from '../http/acts-on.ts';
import {
  createTarget,
  deleteTarget,
  rotateSecret,
  sendAgain,
  sendTest,
  TargetChangeInput,
  TargetInput,
  updateTarget,
} from '../notices/change-target.ts';
import { DELIVERY_STATES } from '../notices/delivery.ts';
import {
  getTarget,
  listDeliveries,
  listTargets,
  targetsOfInstallation,
  targetsOfSuite,
} from '../notices/read-targets.ts';
import { TARGET_KINDS, TELLS } from '../notices/target.ts';
import { actRoute, route } from './api-route.ts';
import { IsoDate, IsoText, named, namedObject, PublicId, recordFields } from './suite-schemas.ts';

const CreateTargetInput = named(
  'CreateTargetInput',
  TargetInput.describe(
    '`listens`: kinds of events; default: all for a webhook, and how runs and crawls ended for a channel. `tells`: `FAILED` is only what failed or waits for a review. `bot`: for Slack, uploads pictures of the three largest changes into the channel; its token is never returned',
  ),
);

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

const TargetList = z.array(
  Target.extend({
    waiting: z.int().describe('Messages that it did not get yet'),
    retryAt: IsoDate.nullable().describe('When the message that failed is sent again'),
  }),
);

const CreatedTarget = namedObject('CreatedTarget', {
  target: Target,
  secret: z.string().nullable().describe('Verifies signatures. It is never shown again. null for channels'),
});

const DeliveryList = z
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
    actor: z.object({ kind: z.enum(ACTOR_KINDS), name: z.string().nullable(), via: z.string().nullable() }),
    causes: z
      .array(z.object({ summary: z.string(), element: z.string(), results: z.int() }))
      .describe('What changed in the run, at most 10'),
    details: z.record(z.string(), z.unknown()).describe('What else the event tells. More may be added'),
  }),
});

const NOT_ADMINISTRATOR = { 403: 'The caller is no administrator of the installation' } as const;
const TOO_LOW = { 403: 'The role on the suite is too low' } as const;
const REFUSED = { 409: 'There are already 20 targets', 422: 'The address is a private one' } as const;

/** Part of the description of an operation on a webhook or a channel. */
const onTarget = {
  params: z.object({ targetId: Id }),
  load: async (ctx: Context, viewer: Viewer, { targetId }: { targetId: string }) => ({
    target: await getTarget(ctx, viewer, targetId),
  }),
};

export const getSuiteTargets = route(
  {
    operationId: 'listSuiteTargets',
    summary: 'List the webhooks and channels of a suite',
    ...onSuite('suite.targets'),
    response: TargetList,
    failures: TOO_LOW,
  },
  async (ctx, { suite }) => listTargets(ctx, targetsOfSuite(suite)),
);

export const postSuiteTarget = route(
  {
    operationId: 'createSuiteTarget',
    summary: 'Tell a webhook or a channel of what happens in a suite',
    status: 201,
    ...onSuite('suite.targets'),
    body: CreateTargetInput,
    response: CreatedTarget,
    failures: REFUSED,
  },
  async (ctx, { suite, body }) => createTarget(ctx, targetsOfSuite(suite), body),
);

export const getTargets = route(
  {
    operationId: 'listTargets',
    summary: 'List the webhooks and channels that are told of all suites',
    response: TargetList,
    failures: NOT_ADMINISTRATOR,
  },
  async (ctx, { viewer }) => listTargets(ctx, await targetsOfInstallation(ctx, viewer)),
);

export const postTarget = route(
  {
    operationId: 'createTarget',
    summary: 'Tell a webhook or a channel of what happens in all suites',
    status: 201,
    body: CreateTargetInput,
    response: CreatedTarget,
    failures: { ...NOT_ADMINISTRATOR, ...REFUSED },
  },
  async (ctx, { viewer, body }) => createTarget(ctx, await targetsOfInstallation(ctx, viewer), body),
);

export const patchTarget = route(
  {
    operationId: 'updateTarget',
    summary: 'Change a target',
    ...onTarget,
    body: named('UpdateTargetInput', TargetChangeInput),
    response: namedObject('ChangedTarget', { target: Target }),
    failures: { 422: 'The address is a private one' },
  },
  async (ctx, { target, body }) => ({ target: await updateTarget(ctx, target, body) }),
);

export const removeTarget = actRoute(
  {
    operationId: 'deleteTarget',
    summary: 'Delete a target and its deliveries',
    ...onTarget,
    done: 'Target deleted',
  },
  async (ctx, { target }) => deleteTarget(ctx, target),
);

export const postTargetSecret = route(
  {
    operationId: 'rotateTargetSecret',
    summary: 'Give a webhook another secret',
    description: 'For 24 hours, messages have the signatures of both secrets.',
    ...onTarget,
    response: CreatedTarget,
  },
  async (ctx, { target }) => rotateSecret(ctx, target),
);

export const postTargetTest = actRoute(
  {
    operationId: 'testTarget',
    summary: 'Send a test message to a target',
    status: 202,
    ...onTarget,
    done: 'Test message queued',
  },
  async (ctx, { target }) => sendTest(ctx, target),
);

export const getDeliveries = route(
  {
    operationId: 'listDeliveries',
    summary: 'List the last messages to a target, with their answers',
    ...onTarget,
    response: DeliveryList,
  },
  async (ctx, { target }) => listDeliveries(ctx, target),
);

export const postDelivery = actRoute(
  {
    operationId: 'sendDeliveryAgain',
    summary: 'Send a message again, with the same id',
    status: 202,
    ...onTarget,
    params: z.object({
      targetId: Id,
      deliveryId: z.coerce.number('must be a whole number').int().min(1).max(Number.MAX_SAFE_INTEGER),
    }),
    done: 'Message queued',
  },
  async (ctx, { target, params }) => sendAgain(ctx, target, params.deliveryId),
);

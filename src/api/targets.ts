import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { onSuite } from '../http/acts-on.ts';
import {
  createTarget,
  deleteTarget,
  rotateSecret,
  sendAgain,
  sendTest,
  updateTarget,
} from '../notices/change-target.ts';
import {
  getTarget,
  listDeliveries,
  listTargets,
  targetsOfInstallation,
  targetsOfSuite,
} from '../notices/read-targets.ts';
import { route } from './api-route.ts';
import { MessageResponse } from './schemas/common-schemas.ts';
import * as targets from './schemas/target-schemas.ts';

const NOT_ADMINISTRATOR = { 403: 'The caller is no administrator of the installation' } as const;
const TOO_LOW = { 403: 'The role on the suite is too low' } as const;
const REFUSED = { 409: 'There are already 20 targets', 422: 'The address is a private one' } as const;

/** Part of the description of an operation on a webhook or a channel. */
const onTarget = {
  params: targets.TargetParams,
  load: async (ctx: Context, viewer: Viewer, { targetId }: { targetId: string }) => ({
    target: await getTarget(ctx, viewer, targetId),
  }),
};

export const getSuiteTargets = route(
  {
    operationId: 'listSuiteTargets',
    summary: 'List who is told of what happens in a suite',
    ...onSuite('suite.targets'),
    response: targets.TargetList,
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
    body: targets.CreateTargetInput,
    response: targets.CreatedTarget,
    failures: REFUSED,
  },
  async (ctx, { suite, body }) => createTarget(ctx, targetsOfSuite(suite), body),
);

export const getTargets = route(
  {
    operationId: 'listTargets',
    summary: 'List who is told of what happens in all suites',
    response: targets.TargetList,
    failures: NOT_ADMINISTRATOR,
  },
  async (ctx, { viewer }) => listTargets(ctx, await targetsOfInstallation(ctx, viewer)),
);

export const postTarget = route(
  {
    operationId: 'createTarget',
    summary: 'Tell a webhook or a channel of what happens in all suites',
    status: 201,
    body: targets.CreateTargetInput,
    response: targets.CreatedTarget,
    failures: { ...NOT_ADMINISTRATOR, ...REFUSED },
  },
  async (ctx, { viewer, body }) => createTarget(ctx, await targetsOfInstallation(ctx, viewer), body),
);

export const patchTarget = route(
  {
    operationId: 'updateTarget',
    summary: 'Change a target',
    ...onTarget,
    body: targets.UpdateTargetInput,
    response: targets.ChangedTarget,
    failures: { 422: 'The address is a private one' },
  },
  async (ctx, { target, body }) => ({
    target: await updateTarget(ctx, target, body),
  }),
);

export const removeTarget = route(
  {
    operationId: 'deleteTarget',
    summary: 'Delete a target and its deliveries',
    ...onTarget,
    response: MessageResponse,
  },
  async (ctx, { target }) => {
    await deleteTarget(ctx, target);
    return { message: 'Target deleted' };
  },
);

export const postTargetSecret = route(
  {
    operationId: 'rotateTargetSecret',
    summary: 'Give a webhook another secret',
    description: 'For 24 hours, messages have the signatures of both secrets.',
    ...onTarget,
    response: targets.CreatedTarget,
  },
  async (ctx, { target }) => rotateSecret(ctx, target),
);

export const postTargetTest = route(
  {
    operationId: 'testTarget',
    summary: 'Send a test message to a target',
    status: 202,
    ...onTarget,
    response: MessageResponse,
  },
  async (ctx, { target }) => {
    await sendTest(ctx, target);
    return { message: 'Test message queued' };
  },
);

export const getDeliveries = route(
  {
    operationId: 'listDeliveries',
    summary: 'List the last messages to a target, with their answers',
    ...onTarget,
    response: targets.DeliveryList,
  },
  async (ctx, { target }) => listDeliveries(ctx, target),
);

export const postDelivery = route(
  {
    operationId: 'sendDeliveryAgain',
    summary: 'Send a message again, with the same id',
    status: 202,
    ...onTarget,
    params: targets.DeliveryParams,
    response: MessageResponse,
  },
  async (ctx, { target, params }) => {
    await sendAgain(ctx, target, params.deliveryId);
    return { message: 'Message queued' };
  },
);

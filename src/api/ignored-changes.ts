import { z } from 'zod';
import { notFound } from '../errors.ts';
import { onSuite, SuiteParams } from '../http/acts-on.ts';
import { ignoreChange, listIgnoredChanges, revokeIgnoredChange } from '../runs/judging/ignore-change.ts';
import type { IgnoredChange } from '../runs/judging/ignored-change.ts';
import { getResultFor } from '../runs/read-run.ts';
import { listRoute, route } from './api-route.ts';
import { MessageResponse, TimePlace } from './schemas/common-schemas.ts';
import * as ignored from './schemas/ignored-change-schemas.ts';

function withAuthor(change: IgnoredChange) {
  const { authorId: id, authorName: name, authorEmail: email } = change;
  return { ...change, author: id === null ? null : { id, name, email } };
}

export const getIgnoredChanges = listRoute(
  {
    operationId: 'listIgnoredChanges',
    summary: 'List the ignored changes, newest first',
    ...onSuite('suite.read'),
    response: z.array(ignored.IgnoredChange),
    list: { most: 1000, place: TimePlace },
  },
  async (ctx, { suite, part }) => {
    const { items, next } = await listIgnoredChanges(ctx, suite, part);
    return { items: items.map(withAuthor), next };
  },
);

export const postIgnoredChange = route(
  {
    operationId: 'ignoreChange',
    summary: 'Ignore the exact change of a result',
    description:
      'The same change on this page and viewport no longer blocks a gate until it expires or is revoked. Pending gates are re-evaluated within seconds, without new screenshots.',
    status: 201,
    params: SuiteParams,
    body: ignored.IgnoreChangeInput,
    response: ignored.IgnoredChange,
    failures: { 409: 'The result has no change' },
  },
  async (ctx, { viewer, params, body }) => {
    const result = await getResultFor(ctx, viewer, body.resultId, 'suite.approve');
    if (result.run.testSuiteId !== params.id) throw notFound('Result');
    const expiresAt = body.expiresAt === null || body.expiresAt === undefined ? null : new Date(body.expiresAt);
    return withAuthor(await ignoreChange(ctx, result, { note: body.note ?? null, expiresAt }));
  },
);

export const deleteIgnoredChange = route(
  {
    operationId: 'revokeIgnoredChange',
    summary: 'Stop ignoring a change',
    description: 'Pending gates are re-evaluated within seconds.',
    ...onSuite('suite.approve'),
    params: ignored.IgnoredChangeParams,
    response: MessageResponse,
  },
  async (ctx, { suite, params }) => {
    await revokeIgnoredChange(ctx, suite, params.ignoredChangeId);
    return { message: 'Ignored change revoked' };
  },
);

import { z } from 'zod';
import { ReviewerNote } from '../baselines/baseline.ts';
import { notFound } from '../errors.ts';
import { Id, inSuite, onSuite, SuiteParams } from '../http/acts-on.ts';
import { ignoreChange, listIgnoredChanges, revokeIgnoredChange } from '../runs/judging/ignore-change.ts';
import { getResultFor } from '../runs/read-run.ts';
import { actRoute, listRoute, route } from './api-route.ts';
import { ImageUrl, IsoDate, named, namedObject, PublicId, recordFields, TimePlace } from './suite-schemas.ts';

const ShownChange = namedObject('IgnoredChange', {
  ...recordFields,
  testSuiteId: PublicId,
  path: z.string(),
  viewport: z.string(),
  baselineFile: ImageUrl,
  currentFile: ImageUrl,
  note: z.string().nullable(),
  author: z
    .object({ id: PublicId, name: z.string().nullable(), email: z.string().nullable() })
    .nullable()
    .describe('null when the account was deleted'),
  expiresAt: IsoDate.nullable().describe('null: never'),
  uses: z.int().describe('How many results it applied to'),
  lastUsedAt: IsoDate.nullable(),
});

const IgnoreChangeInput = named(
  'IgnoreChangeInput',
  z.strictObject({
    resultId: Id.describe('A changed result. Its exact change is ignored for its page and viewport.'),
    note: ReviewerNote,
    expiresAt: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 date and time' })
      .nullish()
      .describe('Default: never'),
  }),
);

export const getIgnoredChanges = listRoute(
  {
    operationId: 'listIgnoredChanges',
    summary: 'List the ignored changes, newest first',
    ...onSuite('suite.read'),
    response: z.array(ShownChange),
    list: { most: 1000, place: TimePlace },
  },
  async (ctx, { suite, part }) => listIgnoredChanges(ctx, suite, part),
);

export const postIgnoredChange = route(
  {
    operationId: 'ignoreChange',
    summary: 'Ignore the exact change of a result',
    description:
      'The same change on this page and viewport no longer blocks a gate until it expires or is revoked. Pending gates are re-evaluated within seconds, without new screenshots.',
    status: 201,
    params: SuiteParams,
    body: IgnoreChangeInput,
    response: ShownChange,
    failures: { 409: 'The result has no change' },
  },
  async (ctx, { viewer, params, body }) => {
    const result = await getResultFor(ctx, viewer, body.resultId, 'suite.approve');
    if (result.run.testSuiteId !== params.id) throw notFound('Result');
    const expiresAt = body.expiresAt === null || body.expiresAt === undefined ? null : new Date(body.expiresAt);
    return ignoreChange(ctx, result, { note: body.note, expiresAt });
  },
);

export const deleteIgnoredChange = actRoute(
  {
    operationId: 'revokeIgnoredChange',
    summary: 'Stop ignoring a change',
    description: 'Pending gates are re-evaluated within seconds.',
    ...inSuite('suite.approve', { ignoredChangeId: Id }),
    done: 'Ignored change revoked',
  },
  async (ctx, { suite, params }) => revokeIgnoredChange(ctx, suite, params.ignoredChangeId),
);

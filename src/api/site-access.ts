import { z } from 'zod';
import { onSuite } from '../http/acts-on.ts';
import { deleteSiteAccess, readSiteAccess, replaceSiteAccess } from '../suites/site-access/change-site-access.ts';
import { PreviewHost } from '../suites/site-access/preview-host.ts';
import { ACCESS_KINDS, SiteSecrets } from '../suites/site-access/site-access.ts';
import { actRoute, route } from './api-route.ts';
import { IsoDate, named, namedObject, UserSummary } from './suite-schemas.ts';

const SiteAccessInput = named(
  'SiteAccessInput',
  SiteSecrets.extend({
    previewHosts: z
      .array(PreviewHost)
      .max(20, 'must have at most 20 hosts')
      .optional()
      .describe('Globs of preview hosts that also receive it. Every matching host must be yours. Default: none'),
  }).describe('Replaces everything that was set. At least one kind is required'),
);

const SiteAccess = namedObject('SiteAccess', {
  kinds: z
    .array(z.object({ kind: z.enum(ACCESS_KINDS), names: z.array(z.string()) }))
    .describe('What is set: names of headers and cookies, the path of a login. Values are never returned'),
  origin: z.string().nullable().describe('Where it is sent, besides previews'),
  previewHosts: z.array(z.string()),
  unusedPreviewHosts: z
    .array(z.string())
    .describe('Those of `previewHosts` that get nothing, because other people could have a matching host'),
  problem: z
    .enum(['OTHER_ORIGIN', 'OTHER_SECRET'])
    .nullable()
    .describe(
      'Why nothing is sent: the suite’s URL has changed since, or the values were encrypted with a different JWT_SECRET. Set them again',
    ),
  changes: z
    .array(z.object({ at: IsoDate, by: UserSummary.nullable(), kinds: z.array(z.enum(ACCESS_KINDS)) }))
    .describe('Who changed it, newest first, at most 20. Without kinds: removed'),
});

export const getSiteAccess = route(
  {
    operationId: 'readSiteAccess',
    summary: 'Read which site access a suite has (kinds and names only)',
    ...onSuite('suite.access'),
    response: SiteAccess,
    failures: { 403: 'The role on the suite is too low' },
  },
  async (ctx, { suite }) => readSiteAccess(ctx, suite),
);

export const putSiteAccess = route(
  {
    operationId: 'writeSiteAccess',
    summary: 'Replace the site access',
    description:
      'Crawls, captures and preview detection use it immediately. It is encrypted in the database, sent only to the site’s own origin and to previews at `previewHosts`, and never returned.',
    ...onSuite('suite.access'),
    body: SiteAccessInput,
    response: SiteAccess,
  },
  async (ctx, { suite, body }) => {
    await replaceSiteAccess(ctx, suite, body);
    return readSiteAccess(ctx, suite);
  },
);

export const removeSiteAccess = actRoute(
  {
    operationId: 'deleteSiteAccess',
    summary: 'Remove the site access',
    ...onSuite('suite.access'),
    done: 'Site access removed',
  },
  async (ctx, { suite }) => deleteSiteAccess(ctx, suite),
);

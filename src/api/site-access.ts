import { onSuite } from '../http/acts-on.ts';
import { deleteSiteAccess, replaceSiteAccess } from '../suites/site-access/change-site-access.ts';
import { readSiteAccess } from '../suites/site-access/read-site-access.ts';
import { route } from './api-route.ts';
import { MessageResponse } from './schemas/common-schemas.ts';
import * as access from './schemas/site-access-schemas.ts';

export const getSiteAccess = route(
  {
    operationId: 'readSiteAccess',
    summary: 'Read which site access a suite has (kinds and names only)',
    ...onSuite('suite.access'),
    response: access.SiteAccess,
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
    body: access.SiteAccessInput,
    response: access.SiteAccess,
  },
  async (ctx, { suite, body }) => {
    await replaceSiteAccess(ctx, suite, body);
    return readSiteAccess(ctx, suite);
  },
);

export const removeSiteAccess = route(
  {
    operationId: 'deleteSiteAccess',
    summary: 'Remove the site access',
    ...onSuite('suite.access'),
    response: MessageResponse,
  },
  async (ctx, { suite }) => {
    await deleteSiteAccess(ctx, suite);
    return { message: 'Site access removed' };
  },
);

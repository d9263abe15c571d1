import { z } from 'zod';
import { Id } from '../http/acts-on.ts';
import type { SiteLook } from '../pages/look/site-look.ts';
import { readLook, startLook } from '../pages/look/start-look.ts';
import { SuiteAddress } from '../suites/suite-input.ts';
import { route } from './api-route.ts';
import { namedObject, PublicId } from './suite-schemas.ts';

const ShownLook = namedObject('SiteLook', {
  id: PublicId,
  baseUrl: z.string(),
  status: z.enum(['PENDING', 'DONE']),
  site: z
    .object({
      url: z.string().describe('After redirects'),
      title: z.string().nullable(),
      icon: z.string().nullable().describe('A data URI'),
      sitemap: z
        .object({ addresses: z.int(), partial: z.boolean() })
        .nullable()
        .describe('Addresses on the same host; 0: no sitemap was found. null: it could not be read in time'),
      pages: z.array(z.string()).describe('Paths of the first pages, at most eight'),
      moved: z.string().nullable().describe('The origin of the other host that the URL redirects to'),
      forbidden: z.boolean().describe('Whether robots.txt forbids crawling it'),
    })
    .nullable()
    .describe('null until it is known, and when the site cannot be read'),
  picture: z.string().nullable().describe('The top of the page, 640 px wide, as a data URI'),
  problem: z.string().nullable().describe('Why the site could not be read, or why there is no screenshot'),
});

const presentLook = ({ address, facts, ...look }: SiteLook) => ({
  ...look,
  baseUrl: address,
  site: facts && { ...facts, url: facts.address },
});

export const postSiteLook = route(
  {
    operationId: 'lookAtSite',
    summary: 'Look at a site before creating a suite for it',
    description:
      'Takes a few seconds: read it until it is `DONE`. Only the caller can read it, and only the newest three are kept.',
    status: 202,
    body: namedObject('CreateSiteLookInput', { baseUrl: SuiteAddress.describe('An absolute http(s) URL') }),
    response: ShownLook,
    failures: { 422: 'The URL is not allowed' },
  },
  async (ctx, { viewer, body }) => presentLook(await startLook(ctx, viewer, body)),
);

export const getSiteLook = route(
  {
    operationId: 'readSiteLook',
    summary: 'Read what was found at a site',
    params: z.object({ id: Id.describe('The look') }),
    response: ShownLook,
  },
  async (ctx, { viewer, params }) => presentLook(await readLook(ctx, viewer, params.id)),
);

import type { SiteLook } from '../pages/look/site-look.ts';
import { readLook, startLook } from '../pages/look/start-look.ts';
import { route } from './api-route.ts';
import * as looks from './schemas/site-look-schemas.ts';

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
    body: looks.CreateSiteLookInput,
    response: looks.SiteLook,
    failures: { 422: 'The URL is not allowed' },
  },
  async (ctx, { viewer, body }) => presentLook(await startLook(ctx, viewer, body)),
);

export const getSiteLook = route(
  {
    operationId: 'readSiteLook',
    summary: 'Read what was found at a site',
    params: looks.LookParams,
    response: looks.SiteLook,
  },
  async (ctx, { viewer, params }) => presentLook(await readLook(ctx, viewer, params.id)),
);

import { z } from 'zod';
import { PreviewHost } from '../../suites/site-access/preview-host.ts';
import { ACCESS_KINDS, SiteSecrets } from '../../suites/site-access/site-access.ts';
import { IsoDate, named, namedObject } from './common-schemas.ts';
import { UserSummary } from './user-schemas.ts';

export const SiteAccessInput = named(
  'SiteAccessInput',
  SiteSecrets.extend({
    previewHosts: z
      .array(PreviewHost)
      .max(20, 'must have at most 20 hosts')
      .optional()
      .describe('Globs of preview hosts that also receive it. Every matching host must be yours. Default: none'),
  }).describe('Replaces everything that was set. At least one kind is required'),
);

export const SiteAccess = namedObject('SiteAccess', {
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

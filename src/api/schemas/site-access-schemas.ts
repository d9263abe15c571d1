import { z } from 'zod';
import { PreviewHost } from '../../suites/site-access/preview-host.ts';
import { ACCESS_KINDS, SiteSecrets } from '../../suites/site-access/site-access.ts';
import { IsoDate } from './common-schemas.ts';
import { named } from './components.ts';
import { UserSummary } from './user-schemas.ts';

export const SiteAccessInput = named(
  'SiteAccessInput',
  SiteSecrets.extend({
    previewHosts: z
      .array(PreviewHost)
      .max(20, 'must have at most 20 hosts')
      .optional()
      .describe('Globs of the hosts of previews that may get it too. Default: none'),
  }).describe('Replaces all that was there. At least one kind'),
);

export const SiteAccess = named(
  'SiteAccess',
  z.object({
    kinds: z
      .array(z.object({ kind: z.enum(ACCESS_KINDS), names: z.array(z.string()) }))
      .describe('What is set: names of headers and cookies, the path of a login. Values are never returned'),
    origin: z.string().nullable().describe('What it is sent to, beside previews'),
    previewHosts: z.array(z.string()),
    problem: z
      .enum(['OTHER_ORIGIN', 'OTHER_SECRET'])
      .nullable()
      .describe(
        'Why nothing is sent: the suite’s address has changed since, or the values were sealed with another JWT_SECRET. Enter them again',
      ),
    changes: z
      .array(z.object({ at: IsoDate, by: UserSummary.nullable(), kinds: z.array(z.enum(ACCESS_KINDS)) }))
      .describe('Who changed it, newest first, at most 20. Without kinds: removed'),
  }),
);

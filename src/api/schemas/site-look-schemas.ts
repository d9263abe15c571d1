import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import { SuiteAddress } from '../../suites/suite-input.ts';
import { namedObject, PublicId } from './common-schemas.ts';

export const LookParams = z.object({ id: Id.describe('The look') });

export const CreateSiteLookInput = namedObject('CreateSiteLookInput', {
  baseUrl: SuiteAddress.describe('An absolute http(s) URL'),
});

export const SiteLook = namedObject('SiteLook', {
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

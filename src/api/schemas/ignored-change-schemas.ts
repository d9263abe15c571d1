import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import { ImageUrl, IsoDate, named, namedObject, PublicId, recordFields } from './common-schemas.ts';
import { reviewerNote } from './result-schemas.ts';

export const IgnoredChange = namedObject('IgnoredChange', {
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

export const IgnoreChangeInput = named(
  'IgnoreChangeInput',
  z.strictObject({
    resultId: Id.describe('A changed result. Its exact change is ignored for its page and viewport.'),
    note: reviewerNote,
    expiresAt: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 date and time' })
      .nullish()
      .describe('Default: never'),
  }),
);

export const IgnoredChangeParams = z.object({ id: Id.describe('The suite'), ignoredChangeId: Id });

import { z } from 'zod';
import { EMAIL_MAX_LENGTH } from '../../auth/email.ts';
import { ACCOUNT_SEARCH_MAX_LENGTH } from '../../auth/managed-account.ts';
import { Id } from '../../http/acts-on.ts';
import { IsoDate, namedObject, recordFields } from './common-schemas.ts';
import { UserSummary } from './user-schemas.ts';

export const AccountParams = z.object({ accountId: Id.describe('The account') });

export const AccountsQuery = z.object({
  search: z
    .string()
    .trim()
    .max(ACCOUNT_SEARCH_MAX_LENGTH)
    .default('')
    .describe('Only accounts whose email address or name contains it'),
});

export const ManagedAccount = namedObject('ManagedAccount', {
  id: recordFields.id,
  email: z.string(),
  name: z.string().nullable(),
  image: z.string().nullable(),
  administrator: z
    .enum(['NAMED', 'GROUP'])
    .nullable()
    .describe('NAMED by a person, by a GROUP of the identity provider, or not an administrator'),
  disabledAt: IsoDate.nullable().describe('Null: may sign in'),
  lastSeenAt: IsoDate.nullable(),
  createdAt: recordFields.createdAt,
});

export const UpdateAccountInput = namedObject('UpdateAccountInput', {
  disabled: z.boolean().optional(),
  administrator: z.boolean().optional(),
});

export const HandOverInput = namedObject('HandOverInput', {
  email: z.string().max(EMAIL_MAX_LENGTH).describe('The email address of the account that becomes the owner'),
});

export const HandOverSuitesResponse = namedObject('HandOverSuitesResponse', { suites: z.int() });
export const HandOverResponse = namedObject('HandOverResponse', { owner: UserSummary });

import { z } from 'zod';
import {
  changeManagedAccount,
  listAccounts,
  readManagedAccount,
  sendPasswordReset,
  signOutAccount,
} from '../auth/manage-accounts.ts';
import { ACCOUNT_SEARCH_MAX_LENGTH } from '../auth/user.ts';
import { Id } from '../http/acts-on.ts';
import { handOverAll } from '../suites/suite-life.ts';
import { actRoute, listRoute, route } from './api-route.ts';
import { HandOverInput } from './sharing.ts';
import { IsoDate, namedObject, recordFields, TimePlace } from './suite-schemas.ts';

const AccountParams = z.object({ accountId: Id.describe('The account') });

const AccountsQuery = z.object({
  search: z
    .string()
    .trim()
    .max(ACCOUNT_SEARCH_MAX_LENGTH)
    .default('')
    .describe('Only accounts whose email address or name contains it'),
});

const ManagedAccount = namedObject('ManagedAccount', {
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

const ADMINISTRATORS_ONLY = 'The caller is not an administrator';

export const getAccounts = listRoute(
  {
    operationId: 'listAccounts',
    summary: 'List the accounts of the installation, oldest first',
    query: AccountsQuery,
    response: z.array(ManagedAccount),
    list: { most: 500, usual: 100, place: TimePlace },
    failures: { 403: ADMINISTRATORS_ONLY },
  },
  async (ctx, { viewer, query, part }) => listAccounts(ctx, viewer, { ...part, search: query.search }),
);

export const getAccount = route(
  {
    operationId: 'readAccount',
    summary: 'Read an account',
    params: AccountParams,
    response: ManagedAccount,
    failures: { 403: ADMINISTRATORS_ONLY },
  },
  async (ctx, { viewer, params }) => readManagedAccount(ctx, viewer, params.accountId),
);

export const patchAccount = route(
  {
    operationId: 'updateAccount',
    summary: 'Disable or enable an account, and make it an administrator or not',
    description:
      'A disabled account cannot sign in, and its sessions and tokens stop working at once. The last administrator can be neither disabled nor removed.',
    params: AccountParams,
    body: namedObject('UpdateAccountInput', {
      disabled: z.boolean().optional(),
      administrator: z.boolean().optional(),
    }),
    response: ManagedAccount,
    failures: { 403: ADMINISTRATORS_ONLY, 409: 'It is the last administrator' },
  },
  async (ctx, { viewer, params, body }) => changeManagedAccount(ctx, viewer, params.accountId, body),
);

export const postSignOut = actRoute(
  {
    operationId: 'signOutAccount',
    summary: 'End all sessions and personal tokens of an account',
    params: AccountParams,
    done: 'Signed out everywhere',
    failures: { 403: ADMINISTRATORS_ONLY },
  },
  async (ctx, { viewer, params }) => signOutAccount(ctx, viewer, params.accountId),
);

export const postPasswordReset = actRoute(
  {
    operationId: 'sendPasswordReset',
    summary: 'Email an account a link to choose a new password',
    params: AccountParams,
    done: 'The link is on its way',
    failures: {
      403: 'The caller is not an administrator, or passwords are turned off',
      409: 'No mail server is configured',
    },
  },
  async (ctx, { viewer, params }) => sendPasswordReset(ctx, viewer, params.accountId),
);

export const postHandOver = route(
  {
    operationId: 'handOverSuites',
    summary: 'Hand all suites and single pages of an account over to another account',
    params: AccountParams,
    body: HandOverInput,
    response: namedObject('HandOverSuitesResponse', { suites: z.int() }),
    failures: {
      403: ADMINISTRATORS_ONLY,
      409: 'Both are the same account',
      422: 'The new owner does not exist, or is disabled',
    },
  },
  async (ctx, { viewer, params, body }) => ({ suites: await handOverAll(ctx, viewer, params.accountId, body.email) }),
);

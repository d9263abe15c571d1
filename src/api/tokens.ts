import { z } from 'zod';
import { createSuiteToken, readSuiteTokens, revokeSuiteToken } from '../access/suite-tokens.ts';
import { TOKEN_LIFE, TOKEN_NAME_MAX_LENGTH } from '../auth/tokens/api-token.ts';
import { createToken, readTokens, revokeToken } from '../auth/tokens/create-token.ts';
import { TOKEN_SCOPES } from '../auth/user.ts';
import { cutNewest } from '../db/list-part.ts';
import { signInWorkflow } from '../github/sign-in/sign-in-workflow.ts';
import { Id, inSuite, onSuite } from '../http/acts-on.ts';
import { requiredText } from '../text/input-words.ts';
import { actRoute, listRoute, publicRoute, route } from './api-route.ts';
import {
  inputObject,
  IsoDate,
  named,
  namedObject,
  PublicId,
  recordFields,
  TimePlace,
  UserSummary,
} from './suite-schemas.ts';

const TokenScope = named('TokenScope', z.enum(TOKEN_SCOPES));

const ShownToken = namedObject('ApiToken', {
  id: recordFields.id,
  name: z.string(),
  testSuiteId: PublicId.nullable().describe('null for a personal token'),
  scopes: z.array(TokenScope).nullable().describe('null: everything the person can do'),
  owner: UserSummary.describe('Who created it, and on whose behalf it acts'),
  expiresAt: IsoDate,
  lastUsedAt: IsoDate.nullable().describe('To the minute'),
  createdAt: recordFields.createdAt,
});

const TOKENS_AT_ONCE = { most: 100, place: TimePlace };

const TokenList = z.array(ShownToken).describe('Newest first, at most 100');

const CreatedToken = namedObject('CreatedToken', {
  token: ShownToken,
  secret: z.string().describe('Sent as `Authorization: Bearer`. It is not stored and never shown again.'),
});

const tokenFields = {
  name: requiredText(TOKEN_NAME_MAX_LENGTH),
  expiresInDays: z.int().min(TOKEN_LIFE.least).max(TOKEN_LIFE.most).default(TOKEN_LIFE.usual),
};

/** GitHub's tokens have about 2 KB. */
const IDENTITY_TOKEN_MAX_LENGTH = 16_384;

const WorkflowTokenInput = inputObject('WorkflowTokenInput', {
  token: z
    .string()
    .min(1)
    .max(IDENTITY_TOKEN_MAX_LENGTH)
    .describe('The job’s identity token, for the audience that is the origin of `PUBLIC_URL`'),
  testSuiteId: Id.optional().describe('Needed when several suites are linked to the repository'),
});

const WorkflowToken = namedObject('WorkflowToken', {
  secret: z.string().describe('Sent as `Authorization: Bearer`'),
  testSuiteId: PublicId,
  scopes: z.array(TokenScope),
  expiresAt: IsoDate.describe('In 15 minutes'),
});

const TOO_MANY = 'There are already 100 tokens';

export const getTokens = listRoute(
  {
    operationId: 'listTokens',
    summary: 'List the caller’s own API tokens',
    response: TokenList,
    list: TOKENS_AT_ONCE,
  },
  async (ctx, { viewer, part }) => cutNewest(await readTokens(ctx, viewer), part),
);

export const postToken = route(
  {
    operationId: 'createToken',
    summary: 'Create a personal API token',
    description:
      'The secret is in this response only. The token can do everything the caller can. It stops working when it expires, when it is revoked, when the password changes, and when the account signs out everywhere.',
    status: 201,
    body: inputObject('CreateTokenInput', tokenFields),
    response: CreatedToken,
    failures: { 409: TOO_MANY },
  },
  async (ctx, { viewer, body }) => createToken(ctx, viewer, body),
);

export const deleteToken = actRoute(
  {
    operationId: 'revokeToken',
    summary: 'Revoke one of the caller’s own API tokens',
    params: z.object({ tokenId: Id }),
    done: 'Token revoked',
  },
  async (ctx, { viewer, params }) => revokeToken(ctx, viewer, params.tokenId),
);

export const getSuiteTokens = listRoute(
  {
    operationId: 'listSuiteTokens',
    summary: 'List a suite’s API tokens',
    ...onSuite('suite.tokens'),
    response: TokenList,
    list: TOKENS_AT_ONCE,
    failures: { 403: 'The role on the suite is too low' },
  },
  async (ctx, { suite, part }) => cutNewest(await readSuiteTokens(ctx, suite), part),
);

export const postSuiteToken = route(
  {
    operationId: 'createSuiteToken',
    summary: 'Create an API token for one suite',
    description:
      'It acts on behalf of the caller, on this suite only: `upload` sends builds, `run` starts and cancels runs, `read` reads runs and results. Anything else returns 403. If the caller’s role on the suite becomes lower, the token can do less.',
    status: 201,
    ...onSuite('suite.tokens'),
    body: inputObject('CreateSuiteTokenInput', {
      ...tokenFields,
      scopes: z.array(TokenScope).min(1, 'must have at least one scope').max(10),
    }),
    response: CreatedToken,
    failures: { 409: TOO_MANY },
  },
  async (ctx, { suite, body }) => createSuiteToken(ctx, suite, body),
);

export const deleteSuiteToken = actRoute(
  {
    operationId: 'revokeSuiteToken',
    summary: 'Revoke one of a suite’s API tokens',
    ...inSuite('suite.tokens', { tokenId: Id }),
    done: 'Token revoked',
  },
  async (ctx, { suite, params }) => revokeSuiteToken(ctx, suite, params.tokenId),
);

export const postWorkflowToken = publicRoute(
  {
    operationId: 'signInWorkflow',
    summary: 'Exchange a GitHub workflow’s identity token for a token of a suite',
    description:
      'For a job with `permissions: id-token: write`. The suite’s token is valid for 15 minutes and can upload, run and read, for a suite that is linked to the job’s repository. It is limited to the job’s own commit: on `pull_request`, the head of that pull request. Pull requests from forks and `pull_request_target` get no token.',
    body: WorkflowTokenInput,
    response: WorkflowToken,
    failures: {
      401: 'GitHub did not issue the token, or not for this service, or it has expired',
      403: 'The pull request is from a fork or not known yet, or the event is `pull_request_target`',
      404: 'No matching active suite is linked to the repository',
      422: 'Several suites are linked to the repository, and none is named',
      503: 'The database or GitHub’s keys cannot be reached',
    },
    rateLimit: 'workflow',
  },
  async (ctx, { body }) => {
    const token = await signInWorkflow(ctx, { token: body.token, testSuiteId: body.testSuiteId ?? null });
    return { ...token, scopes: [...token.scopes] };
  },
);

import type { z } from 'zod';
import { createSuiteToken, readSuiteTokens, revokeSuiteToken } from '../access/suite-tokens.ts';
import type { ApiToken } from '../auth/tokens/api-token.ts';
import { createToken, readTokens, revokeToken } from '../auth/tokens/create-token.ts';
import { toUserSummary } from '../auth/user.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { route } from './api-route.ts';
import { MessageResponse, SuiteParams } from './schemas/common-schemas.ts';
import * as tokens from './schemas/token-schemas.ts';

const tag = 'API tokens';
const TOO_MANY = 'There are 100 tokens already';

function presentToken(token: ApiToken): z.output<typeof tokens.TokenList>[number] {
  return {
    id: token.id,
    name: token.name,
    testSuiteId: token.testSuiteId,
    scopes: token.scopes,
    owner: toUserSummary(token.owner),
    expiresAt: token.expiresAt.toISOString(),
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    createdAt: token.createdAt.toISOString(),
  };
}

export const getTokens = route(
  {
    operationId: 'listTokens',
    summary: "List the caller's own API tokens",
    tag,
    status: 200,
    response: tokens.TokenList,
  },
  async (ctx, { viewer }) => (await readTokens(ctx, viewer)).map(presentToken),
);

export const postToken = route(
  {
    operationId: 'createToken',
    summary: 'Make an API token for all that the caller may do',
    description:
      'The secret is in this response only. The token ends when it expires, when it is revoked, and with all sessions: after a change of the password, or when the account is signed out everywhere.',
    tag,
    status: 201,
    body: tokens.CreateTokenInput,
    response: tokens.CreatedToken,
    failures: { 409: TOO_MANY },
  },
  async (ctx, { viewer, body }) => {
    const { token, secret } = await createToken(ctx, viewer, body);
    return { token: presentToken(token), secret };
  },
);

export const deleteToken = route(
  {
    operationId: 'revokeToken',
    summary: "Revoke one of the caller's own API tokens",
    tag,
    status: 200,
    params: tokens.TokenParams,
    response: MessageResponse,
  },
  async (ctx, { viewer, params }) => {
    await revokeToken(ctx, viewer, params.tokenId);
    return { message: 'Token revoked' };
  },
);

export const getSuiteTokens = route(
  {
    operationId: 'listSuiteTokens',
    summary: "List a suite's API tokens",
    tag,
    status: 200,
    params: SuiteParams,
    response: tokens.TokenList,
    failures: { 403: 'The role on the suite is too low' },
  },
  async (ctx, { viewer, params }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.tokens');
    return (await readSuiteTokens(ctx, suite)).map(presentToken);
  },
);

export const postSuiteToken = route(
  {
    operationId: 'createSuiteToken',
    summary: 'Make an API token for one suite',
    description:
      'It acts for the caller on this suite only: `upload` sends builds, `run` starts and cancels runs, `read` reads runs and results. Anything else is refused with 403. It can do less as soon as the role of the caller on the suite is lower.',
    tag,
    status: 201,
    params: SuiteParams,
    body: tokens.CreateSuiteTokenInput,
    response: tokens.CreatedToken,
    failures: { 409: TOO_MANY },
  },
  async (ctx, { viewer, params, body }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.tokens');
    const { token, secret } = await createSuiteToken(ctx, suite, body);
    return { token: presentToken(token), secret };
  },
);

export const deleteSuiteToken = route(
  {
    operationId: 'revokeSuiteToken',
    summary: "Revoke one of a suite's API tokens",
    tag,
    status: 200,
    params: tokens.SuiteTokenParams,
    response: MessageResponse,
  },
  async (ctx, { viewer, params }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.tokens');
    await revokeSuiteToken(ctx, suite, params.tokenId);
    return { message: 'Token revoked' };
  },
);

import type { ApiToken } from '../auth/tokens/api-token.ts';
import {
  createToken,
  readTokens,
  revokeToken,
  type CreatedToken,
  type TokenContext,
  type TokenInput,
} from '../auth/tokens/create-token.ts';
import type { TokenScope } from '../auth/user.ts';
import type { Authorized } from './authorized.ts';

type OwnSuite = { id: string } & Authorized<'suite.tokens'>;

/**
 * A token that acts for the viewer on this suite only, within its scopes. When the viewer's role shrinks, so do the
 * token's rights.
 * @throws AppError conflict at the limit.
 */
export async function createSuiteToken(
  ctx: TokenContext,
  suite: OwnSuite,
  { scopes, ...input }: TokenInput & { scopes: readonly TokenScope[] },
): Promise<CreatedToken> {
  return createToken(ctx, suite.viewer, input, { id: suite.id, scopes: [...new Set(scopes)] });
}

export async function readSuiteTokens(ctx: TokenContext, suite: OwnSuite): Promise<ApiToken[]> {
  return readTokens(ctx, suite.viewer, suite);
}

/** @throws AppError not_found */
export async function revokeSuiteToken(ctx: TokenContext, suite: OwnSuite, tokenId: string): Promise<void> {
  await revokeToken(ctx, suite.viewer, tokenId, suite);
}

import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { conflict, notFound, unauthenticated } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { hashOneTimeToken, newOneTimeToken } from '../one-time-token.ts';
import { findIdentity } from '../user-store.ts';
import { toActor, type TokenScope, type Viewer } from '../user.ts';
import {
  deleteLapsedTokens,
  deleteToken,
  insertToken,
  listTokens,
  lockTokens,
  type TokenHolder,
} from './api-token-store.ts';
import { PERSON_PREFIX, SUITE_PREFIX, TOKENS_MAX, type ApiToken } from './api-token.ts';

const DAY_MS = 86_400_000;

export type TokenInput = { name: string; expiresInDays: number };

/** `secret` is what requests send. It is shown here and never again. */
export type CreatedToken = { token: ApiToken; secret: string };

export type TokenContext = Pick<Context, 'db' | 'clock' | 'log'>;

function holderOf(viewer: Viewer, suite: { id: string } | null): TokenHolder {
  return suite === null ? { userId: viewer.id } : { testSuiteId: suite.id };
}

/**
 * @param suite null: a token of the viewer's own
 * @throws AppError conflict at the limit; unauthenticated when the account is gone.
 */
export async function createToken(
  { db, clock, log }: TokenContext,
  viewer: Viewer,
  { name, expiresInDays }: TokenInput,
  suite: { id: string; scopes: readonly TokenScope[] } | null = null,
): Promise<CreatedToken> {
  const now = clock.now();
  const holder = holderOf(viewer, suite);
  const testSuiteId = suite?.id ?? null;
  const expiresAt = new Date(now.getTime() + expiresInDays * DAY_MS);
  const secret = `${suite === null ? PERSON_PREFIX : SUITE_PREFIX}${newOneTimeToken()}`;
  const token = await inTransaction(db, async (trx) => {
    await lockTokens(trx, holder);
    await deleteLapsedTokens(trx, holder, now);
    if ((await listTokens(trx, holder, now)).length >= TOKENS_MAX) {
      throw conflict(`You can have at most ${TOKENS_MAX} tokens. Revoke one first.`, 'too_many_tokens');
    }
    const maker = await findIdentity(trx, viewer.id);
    if (maker === null) throw unauthenticated();
    const id = await insertToken(trx, {
      userId: viewer.id,
      testSuiteId,
      name,
      scopes: suite?.scopes ?? null,
      sessionVersion: suite === null ? maker.sessionVersion : null,
      tokenHash: hashOneTimeToken(secret),
      expiresAt,
    });
    await recordEvent(trx, toActor(viewer), {
      kind: 'token.created',
      suiteId: testSuiteId,
      details: { name, scopes: suite === null ? null : [...suite.scopes], expiresAt: expiresAt.toISOString() },
    });
    return (await listTokens(trx, holder, now)).find((each) => each.id === id);
  });
  if (token === undefined) throw new Error('The new token is not in the list');
  log.info(
    { tokenId: token.id, userId: viewer.id, suiteId: testSuiteId, scopes: token.scopes },
    'created an API token',
  );
  return { token, secret };
}

/** A person's own tokens, or those of a suite, newest first. */
export async function readTokens(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
  suite: { id: string } | null = null,
): Promise<ApiToken[]> {
  return listTokens(db, holderOf(viewer, suite), clock.now());
}

/** @throws AppError not_found */
export async function revokeToken(
  { db, log }: Pick<TokenContext, 'db' | 'log'>,
  viewer: Viewer,
  tokenId: string,
  suite: { id: string } | null = null,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const name = await deleteToken(trx, holderOf(viewer, suite), tokenId);
    if (name === null) throw notFound('Token');
    const details = { name };
    await recordEvent(trx, toActor(viewer), { kind: 'token.revoked', suiteId: suite?.id ?? null, details });
  });
  log.info({ tokenId, userId: viewer.id, suiteId: suite?.id ?? null }, 'revoked an API token');
}

import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { recordFailure } from '../passwords/log-in.ts';
import { startSession, type Session } from '../sessions/start-session.ts';
import { findIdentity, type Identity } from '../user-store.ts';
import { newChallenge, readChallenge, type Challenge } from './challenge.ts';
import { lockPasskey, notePasskeyUse } from './passkey-store.ts';
import { loadWebAuthn, parseCredential, relyingParty, UsedCredential, type RelyingParty } from './passkey.ts';

/**
 * What the sign-in page needs. `options`: of `navigator.credentials.get`, as JSON. Null: nobody signs in with a passkey here.
 */
export function offerPasskeySignIn(ctx: Pick<Context, 'config' | 'clock'>): { options: object; sealed: string } | null {
  const party = relyingParty(ctx.config);
  if (party === null) return null;
  const { text, sealed } = newChallenge(ctx, null);
  return { options: { challenge: text, rpId: party.id, userVerification: 'required' }, sealed };
}

type Answer = { party: RelyingParty; challenge: Challenge; response: z.output<typeof UsedCredential> };

/** Whose passkey gave this answer. An answer is accepted once. */
async function accept(trx: Db, { party, challenge, response }: Answer, usedAt: Date): Promise<Identity | null> {
  const passkey = await lockPasskey(trx, response.id);
  const challengedAt = new Date(challenge.issuedAt);
  if (passkey === null || (passkey.challengedAt !== null && passkey.challengedAt >= challengedAt)) return null;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.text,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: response.id,
      publicKey: Buffer.from(passkey.publicKey, 'base64url'),
      counter: passkey.signatures,
    },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: null }));
  if (!verified || authenticationInfo === null) return null;
  await notePasskeyUse(trx, passkey.id, { signatures: authenticationInfo.newCounter, challengedAt, usedAt });
  return findIdentity(trx, passkey.userId);
}

/**
 * @param answer what the browser answered to `offerPasskeySignIn`, as JSON
 * @throws AppError `invalid_passkey` (401); forbidden `account_disabled`
 */
export async function signInWithPasskey(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'address'>,
  { answer, sealed }: { answer: string; sealed: string },
): Promise<Session> {
  const party = relyingParty(ctx.config);
  const challenge = readChallenge(ctx, null, sealed);
  const response = parseCredential(UsedCredential, answer);
  const session =
    party === null || challenge === null || response === null
      ? null
      : await inTransaction(ctx.db, async (trx) => {
          const identity = await accept(trx, { party, challenge, response }, ctx.clock.now());
          return identity === null ? null : startSession({ ...ctx, db: trx }, identity);
        });
  if (session !== null) return session;
  await recordFailure(ctx, { email: null, id: null });
  const message = 'This passkey could not sign you in. Reload the page and try again, or sign in in another way.';
  throw new AppError('unauthenticated', message, { code: 'invalid_passkey' });
}

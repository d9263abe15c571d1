import { z } from 'zod';
import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { conflict, forbidden, invalid, notFound, unauthenticated } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { openValue, sealValue } from '../jwt-secret.ts';
import { newOneTimeToken } from '../one-time-token.ts';
import { recordFailure } from '../passwords/log-in.ts';
import { startSession, type Session } from '../sessions/start-session.ts';
import { findIdentity, lockCredentials, type Identity } from '../user-store.ts';
import { displayName, toActor, type Viewer } from '../user.ts';
import {
  deletePasskey,
  findCredentialIds,
  findPasskeys,
  insertPasskey,
  lockPasskey,
  notePasskeyUse,
} from './passkey-store.ts';
import {
  loadWebAuthn,
  MOST_PASSKEYS,
  NewCredential,
  parseCredential,
  relyingParty,
  UsedCredential,
  type Passkey,
  type RelyingParty,
} from './passkey.ts';

const PURPOSE = 'passkey-challenge';
/** Long enough for a page that stays open. */
const TTL_MS = 60 * 60_000;

const Challenge = z.object({
  /** The authenticator signs it. */
  text: z.string(),
  /** Who adds a passkey. Null: a sign-in. */
  userId: z.string().nullable(),
  issuedAt: z.number(),
});
type Challenge = z.output<typeof Challenge>;

/** @returns the challenge, and the same sealed, which the form sends back */
function newChallenge(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  userId: string | null,
): { text: string; sealed: string } {
  const challenge = { text: newOneTimeToken(), userId, issuedAt: clock.now().getTime() };
  return { text: challenge.text, sealed: sealValue(config, PURPOSE, challenge) };
}

/** Null: not ours, for something else, or older than an hour. */
function readChallenge(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  userId: string | null,
  sealed: string,
): Challenge | null {
  const challenge = openValue(config, PURPOSE, Challenge, sealed);
  if (challenge === null || challenge.issuedAt + TTL_MS <= clock.now().getTime()) return null;
  return challenge.userId === userId ? challenge : null;
}

export async function readPasskeys({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<Passkey[]> {
  return findPasskeys(db, viewer.id);
}

/** EdDSA, ES256 and RS256, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257];

/** What a page needs to add a passkey. `options`: of `navigator.credentials.create`, as JSON. Null: there are none here. */
export async function offerPasskey(
  ctx: Pick<Context, 'config' | 'db' | 'clock'>,
  viewer: Viewer,
): Promise<{ options: object; sealed: string } | null> {
  const party = relyingParty(ctx.config);
  if (party === null) return null;
  const { text, sealed } = newChallenge(ctx, viewer.id);
  const known = await findCredentialIds(ctx.db, viewer.id);
  const options = {
    challenge: text,
    rp: { id: party.id, name: 'Pixelgate' },
    user: { id: Buffer.from(viewer.id).toString('base64url'), name: viewer.email, displayName: displayName(viewer) },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known.map((id) => ({ type: 'public-key', id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  };
  return { options, sealed };
}

async function verify(ctx: Pick<Context, 'config' | 'clock'>, viewer: Viewer, answer: string, sealed: string) {
  const party = relyingParty(ctx.config);
  const challenge = readChallenge(ctx, viewer.id, sealed);
  const response = parseCredential(NewCredential, answer);
  if (party === null || challenge === null || response === null) return null;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge.text,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return registrationInfo?.credential ?? null;
  } catch {
    // All errors are about the answer.
    return null;
  }
}

/**
 * @param answer the browser's answer to `offerPasskey`, as JSON
 * @throws AppError forbidden with an API token; invalid; conflict at the limit, or when the device has one already.
 */
export async function addPasskey(
  ctx: Pick<Context, 'config' | 'db' | 'clock'>,
  viewer: Viewer,
  { name, answer, sealed }: { name: string; answer: string; sealed: string },
): Promise<void> {
  if (viewer.sessionId === undefined) throw forbidden('Sign in to add a passkey', 'no_session');
  const credential = await verify(ctx, viewer, answer, sealed);
  if (credential === null) throw invalid('The passkey could not be added. Reload the page and try again');
  await inTransaction(ctx.db, async (trx) => {
    if ((await lockCredentials(trx, viewer.id)) === null) throw unauthenticated();
    if ((await findPasskeys(trx, viewer.id)).length >= MOST_PASSKEYS) {
      throw conflict(`There are already ${MOST_PASSKEYS} passkeys. Remove one first.`, 'too_many_passkeys');
    }
    const isNew = await insertPasskey(trx, {
      userId: viewer.id,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      signatures: credential.counter,
      transports: credential.transports ?? [],
      name,
      createdAt: ctx.clock.now(),
    });
    if (!isNew) throw conflict('This passkey has been added already.', 'passkey_exists');
    await recordEvent(trx, toActor(viewer), { kind: 'passkey.added', details: { name } });
  });
}

/** @throws AppError not_found */
export async function removePasskey({ db }: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const removed = await deletePasskey(trx, viewer.id, id);
    if (removed === null) throw notFound('Passkey');
    await recordEvent(trx, toActor(viewer), { kind: 'passkey.removed', details: removed });
  });
}

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
  throw unauthenticated(message, 'invalid_passkey');
}

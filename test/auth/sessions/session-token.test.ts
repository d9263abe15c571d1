import { createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { issueToken, readToken } from '../../../src/auth/sessions/session.ts';

const SECRET = 'a secret of thirty-two bytes or more';
const SUBJECT = {
  userId: '5e0a2b9c-6a52-4c57-9a3d-0d5a1a6a0b11',
  sessionVersion: 3,
  sessionId: '0b1d7a4e-9c1f-4f52-8a53-6a2f6a8f0c22',
};
const NOW = new Date('2030-01-02T03:04:05.678Z');
const HOUR = 3_600_000;
const after = (ms: number) => new Date(NOW.getTime() + ms);
const issue = () => issueToken(SECRET, SUBJECT, HOUR, NOW);

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('a session token', () => {
  it('stands for the account and the session version it was issued for', () => {
    expect(readToken(SECRET, issue(), NOW)).toEqual(SUBJECT);
  });

  it('is valid until its lifetime is over', () => {
    expect(readToken(SECRET, issue(), after(HOUR - 1000))).toEqual(SUBJECT);
    expect(readToken(SECRET, issue(), after(HOUR))).toBeNull();
  });

  it('is refused when another secret signed it', () => {
    expect(readToken('another secret of thirty-two bytes!!', issue(), NOW)).toBeNull();
  });

  it('is refused when its claims were changed', () => {
    const [header, , signature] = issue().split('.');
    const claims = { ...claimsOf(issue()), sub: '00000000-0000-4000-8000-000000000000' };
    expect(readToken(SECRET, [header, encode(claims), signature].join('.'), NOW)).toBeNull();
  });

  it.each(['none', 'None', 'NONE'])('is refused with the algorithm %s', (alg) => {
    const unsigned = `${encode({ alg, typ: 'JWT' })}.${encode(claimsOf(issue()))}`;
    expect(readToken(SECRET, `${unsigned}.`, NOW)).toBeNull();
    expect(readToken(SECRET, `${unsigned}.${issue().split('.')[2]}`, NOW)).toBeNull();
  });

  it.each(['HS384', 'HS512'] as const)('is refused with the algorithm %s and the right secret', (algorithm) => {
    expect(readToken(SECRET, jwt.sign(claimsOf(issue()), SECRET, { algorithm }), NOW)).toBeNull();
  });

  it('is refused when an RSA key signed it, and an RSA public key is no secret', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const signed = jwt.sign(claimsOf(issue()), privateKey, { algorithm: 'RS256' });
    expect(readToken(SECRET, signed, NOW)).toBeNull();
    expect(readToken(publicKey, signed, NOW)).toBeNull();
  });

  it.each(['aud', 'sub', 'ver', 'sid', 'exp'])('is refused without its claim %s, though rightly signed', (claim) => {
    const { [claim]: _, ...claims } = claimsOf(issue());
    expect(readToken(SECRET, jwt.sign(claims, SECRET, { algorithm: 'HS256' }), NOW)).toBeNull();
  });

  it('is refused when it was signed for another purpose', () => {
    const claims = { ...claimsOf(issue()), aud: 'something else' };
    expect(readToken(SECRET, jwt.sign(claims, SECRET, { algorithm: 'HS256' }), NOW)).toBeNull();
  });

  it('is refused when its account id is not one', () => {
    const claims = { ...claimsOf(issue()), sub: "' or 1=1" };
    expect(readToken(SECRET, jwt.sign(claims, SECRET, { algorithm: 'HS256' }), NOW)).toBeNull();
  });

  it('is refused when its payload is not JSON, rightly signed or not', () => {
    const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${Buffer.from('{not json').toString('base64url')}`;
    const signature = createHmac('sha256', SECRET).update(content).digest('base64url');
    expect(readToken(SECRET, `${content}.${signature}`, NOW)).toBeNull();
    expect(readToken(SECRET, `${content}.x`, NOW)).toBeNull();
  });

  it.each(['', 'x', 'a.b', 'a.b.c', '..', `${encode('x')}.${encode('x')}.x`, 'é.é.é', 'null.null.null'])(
    'is refused when it is not one: %j',
    (text) => {
      expect(readToken(SECRET, text, NOW)).toBeNull();
    },
  );
});

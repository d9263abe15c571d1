import { expect, it } from '@jest/globals';
import { readClaims } from '../../src/oidc/read-claims.ts';

const token = { sub: 'eve', email: 'eve@example.org', email_verified: true };

it.each([
  ['the same address', { email: 'eve@example.org' }, true],
  ['another address', { email: 'ada@example.org' }, undefined],
  ['another address that is verified', { email: 'ada@example.org', email_verified: true }, true],
  ['an address that is not verified', { email: 'eve@example.org', email_verified: false }, false],
  ['no address', {}, true],
])('takes an address as verified only if that one is: user info with %s', (_said, userInfo, isVerified) => {
  const claims = readClaims(token, { sub: 'eve', ...userInfo });
  expect(claims.email).toBe('email' in userInfo ? userInfo.email : token.email);
  expect(claims.email_verified).toBe(isVerified);
});

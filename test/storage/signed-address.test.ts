import { describe, expect, it } from '@jest/globals';
import { signObject, verifyObject } from '../../src/storage/signed-address.ts';

const SECRET = 'a secret of the service that is long enough';
const NAME = 'suites/one/image.png';
const EXPIRES = 2_000_000_000;
const signature = signObject(SECRET, NAME, EXPIRES);

describe('verifyObject', () => {
  it('accepts what was signed until the second in which it expires', () => {
    expect(verifyObject([SECRET], { name: NAME, expires: EXPIRES, signature }, EXPIRES - 1)).toBe(true);
    expect(verifyObject([SECRET], { name: NAME, expires: EXPIRES, signature }, EXPIRES)).toBe(false);
    expect(verifyObject([SECRET], { name: NAME, expires: EXPIRES, signature }, EXPIRES + 1)).toBe(false);
  });

  it('accepts what was signed with the secret before, while that one is known', () => {
    const verify = (secrets: string[]) => verifyObject(secrets, { name: NAME, expires: EXPIRES, signature }, 0);
    expect([verify(['a new secret', SECRET]), verify(['a new secret'])]).toEqual([true, false]);
  });

  it.each([
    ['another object', SECRET, 'suites/two/image.png', EXPIRES, signature],
    ['a later expiry', SECRET, NAME, EXPIRES + 1, signature],
    ['another secret', `${SECRET}!`, NAME, EXPIRES, signature],
    ['an empty signature', SECRET, NAME, EXPIRES, ''],
    ['a shorter signature', SECRET, NAME, EXPIRES, signature.slice(0, -1)],
    ['a longer signature', SECRET, NAME, EXPIRES, `${signature}=`],
    ['a signature outside of the alphabet', SECRET, NAME, EXPIRES, '€'.repeat(signature.length)],
    ['a changed signature', SECRET, NAME, EXPIRES, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
    ['an expiry that is no number', SECRET, NAME, Number.NaN, signObject(SECRET, NAME, Number.NaN)],
    ['an expiry that never comes', SECRET, NAME, Infinity, signObject(SECRET, NAME, Infinity)],
  ])('refuses %s', (_, secret, name, expires, given) => {
    expect(verifyObject([secret], { name, expires, signature: given }, EXPIRES - 60)).toBe(false);
  });
});

describe('signObject', () => {
  it('can go into an address as it is', () => {
    expect(signature).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});

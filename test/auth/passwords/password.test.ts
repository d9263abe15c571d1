import { describe, expect, it } from '@jest/globals';
import bcrypt from 'bcrypt';
import { brokenPasswordRule, hashPassword, verifyPassword } from '../../../src/auth/passwords/password.ts';

const LOW_COST = 4;

const SHORT = 'must be at least 8 characters';
const LONG = 'must be at most 72 bytes in UTF-8';

describe('the password rule', () => {
  it.each([
    ['12345678', null],
    ['1234567', SHORT],
    ['', SHORT],
    ['        ', null],
    ['a'.repeat(72), null],
    ['a'.repeat(73), LONG],
    ['ä'.repeat(36), null],
    ['ä'.repeat(36) + 'a', LONG],
    ['👍👍👍👍', SHORT],
    ['👍👍👍👍👍👍👍👍', null],
    ['abcdefgh\ud83d', LONG],
  ])('%j breaks: %s', (password, broken) => {
    expect(brokenPasswordRule(password)).toBe(broken);
  });
});

describe('a hashed password', () => {
  it('is verified by the same password only', async () => {
    const hash = await hashPassword('correct horse', LOW_COST);
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    expect(await verifyPassword('correct horsf', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
  });

  it('counts to its 72nd byte, and is not verified by a longer one that begins with it', async () => {
    const password = 'a'.repeat(72);
    const hash = await hashPassword(password, LOW_COST);
    expect(await verifyPassword(`${'a'.repeat(71)}b`, hash)).toBe(false);
    expect(await verifyPassword(`${password}x`, hash)).toBe(false);
    expect(await verifyPassword(password, hash)).toBe(true);
  });

  it('counts beyond a NUL', async () => {
    const hash = await hashPassword('abcdefgh\u0000one', LOW_COST);
    expect(await verifyPassword('abcdefgh\u0000two', hash)).toBe(false);
  });

  it('is never made of a password that breaks the rule', async () => {
    await expect(hashPassword('a'.repeat(73), LOW_COST)).rejects.toThrow('breaks the rule');
  });

  it('costs 12 rounds of doubling where nothing else is asked for', async () => {
    expect(bcrypt.getRounds(await hashPassword('correct horse'))).toBe(12);
  });
});

describe('an account without a password', () => {
  it('is opened by no password', async () => {
    expect(await verifyPassword('correct horse', null)).toBe(false);
  });
});

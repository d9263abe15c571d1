import { describe, expect, it } from '@jest/globals';
import { hashResetToken, newResetToken } from '../../src/auth/reset-token.ts';

describe('a reset token', () => {
  it('is 32 random bytes in letters that need no escaping', () => {
    const token = newResetToken();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(encodeURIComponent(token)).toBe(token);
    expect(newResetToken()).not.toBe(token);
  });

  it('is known by its SHA-256', () => {
    expect(hashResetToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

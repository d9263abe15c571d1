import { describe, expect, it } from '@jest/globals';
import { hashOneTimeToken, newOneTimeToken } from '../../src/auth/one-time-token.ts';

describe('a one-time token', () => {
  it('is 32 random bytes in letters that need no escaping', () => {
    const token = newOneTimeToken();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(encodeURIComponent(token)).toBe(token);
    expect(newOneTimeToken()).not.toBe(token);
  });

  it('is known by its SHA-256', () => {
    expect(hashOneTimeToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

import { describe, expect, it } from '@jest/globals';
import { emailKey, isEmailAllowed, normalizeEmail } from '../../src/auth/user.ts';

describe('an e-mail address', () => {
  it.each([
    'ada@example.com',
    '  ada@example.com\n',
    'Ada.Lovelace+tag@sub.example.co.uk',
    "o'brien_x@example-site.org",
    `${'a'.repeat(64)}@example.com`,
    'ada@xn--bcher-kva.example',
  ])('is taken: %j', (email) => {
    expect(isEmailAllowed(email)).toBe(true);
  });

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'ada@@example.com',
    'ada@b@example.com',
    'ada lovelace@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'Ada <ada@example.com>',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@-example.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@127.0.0.1',
    'ada\u0000@example.com',
    'mıke@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'abcdefghi.'.repeat(25)}com`,
  ])('is refused: %j', (email) => {
    expect(isEmailAllowed(email)).toBe(false);
  });

  it('is trimmed and keeps its case', () => {
    expect(normalizeEmail(' Ada@Example.com ')).toBe('Ada@Example.com');
  });

  it('has one key whatever its case', () => {
    expect(emailKey(' Ada@Example.com ')).toBe(emailKey('ada@example.COM'));
  });

  it('is judged quickly however hostile the text', () => {
    expect(isEmailAllowed(`${'a.'.repeat(500_000)}@`)).toBe(false);
  });
});

import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSigned } from '../../../src/github/webhooks/webhook-receiver.ts';

const SECRET = 'a secret that only GitHub knows';
const BODY = Buffer.from('{"zen":"Keep it logically awesome."}');
const sign = (secret: string, body: Buffer) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const SIGNATURE = sign(SECRET, BODY);

describe('a delivery', () => {
  it('is signed by the HMAC of its bytes, also when they are not UTF-8', () => {
    // The example of GitHub's documentation.
    const told = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    expect(isSigned("It's a Secret to Everybody", Buffer.from('Hello, World!'), told)).toBe(true);
    expect(isSigned(SECRET, BODY, SIGNATURE)).toBe(true);
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    expect(isSigned(SECRET, bytes, sign(SECRET, bytes))).toBe(true);
    expect(isSigned(SECRET, Buffer.from(bytes.toString('utf8')), sign(SECRET, bytes))).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['several headers', [SIGNATURE, SIGNATURE]],
    ['the hash alone', SIGNATURE.slice(7)],
    ['its beginning', SIGNATURE.slice(0, -1)],
    ['more than it', `${SIGNATURE}0`],
    ['capitals', SIGNATURE.toUpperCase()],
    ['another secret', sign('another', BODY)],
    ['another body', sign(SECRET, Buffer.from('{}'))],
    ['as many characters that are more bytes', 'é'.repeat(SIGNATURE.length)],
  ])('is not signed by %s', (_what, signature) => {
    expect(isSigned(SECRET, BODY, signature)).toBe(false);
  });
});

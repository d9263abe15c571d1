import { describe, expect, it } from '@jest/globals';
import { isGone } from '../../../src/github/app/github-client.ts';
import { parseWait } from '../../../src/github/app/respect-rate-limits.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

function answer(status: number, headers: Record<string, string> = {}, message = 'Forbidden') {
  return Object.assign(new Error(message), { status, response: { status, headers } });
}
const noAnswer = Object.assign(new Error('connect ECONNREFUSED'), { status: 500 });

describe('what GitHub asks us to wait', () => {
  it.each([
    ['Retry-After in seconds', answer(429, { 'retry-after': '7' }), 7_000],
    ['Retry-After as a date', answer(403, { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }), 30_000],
    ['Retry-After of a 503', answer(503, { 'retry-after': '2' }), 2_000],
    [
      'a limit that is used up',
      answer(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(seconds(NOW) + 90) }),
      91_000,
    ],
    [
      'a reset that has passed by our clock',
      answer(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }),
      60_000,
    ],
    ['a secondary limit', answer(403, {}, 'You have exceeded a secondary rate limit.'), 60_000],
    ['a 429 that says nothing', answer(429), 60_000],
    ['an hour at most', answer(429, { 'retry-after': '999999' }), 3_600_000],
  ])('is read from %s', (_what, error, wait) => {
    expect(parseWait(error, NOW)).toBe(wait);
    expect(isGone(error)).toBe(false);
  });

  it.each([
    ['a refusal', answer(403, { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '1' })],
    ['a broken server', answer(502, { 'retry-after': '7' })],
    ['no answer', noAnswer],
    ['anything else', new Error('secondary rate limit')],
  ])('is nothing after %s', (_what, error) => {
    expect(parseWait(error, NOW)).toBeNull();
  });
});

describe('what is gone', () => {
  it.each([403, 404, 410, 422, 451])('is told by %i', (status) => {
    expect(isGone(answer(status))).toBe(true);
  });

  it('is not told by a failure that may pass', () => {
    for (const error of [answer(401), answer(409), answer(500), noAnswer, new Error('bug'), null]) {
      expect(isGone(error)).toBe(false);
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { CaptureError } from '../../src/capture/browser/browser.ts';
import { notAnswered, notLoaded, refusedWith } from '../../src/capture/describe-failure.ts';

const URL = 'http://a.test:81/';

describe('an error status', () => {
  it.each([
    [401, 'wall', 'The page returned 401 Unauthorized'],
    [404, 'gone', 'The page returned 404 Not Found'],
    [429, 'limited', 'The page returned 429 Too Many Requests'],
    [499, 'status', 'The page returned 499'],
    [502, 'broken', 'The page returned 502 Bad Gateway'],
  ])('%s is named as it is registered, if it is', (status, code, message) => {
    expect(refusedWith(status)).toMatchObject({ code, message });
  });

  it('is a wall if one is known to answer so', () => {
    expect(refusedWith(503, 'vercel').code).toBe('wall');
  });
});

describe('a failed navigation', () => {
  it.each([
    [
      'net::ERR_NAME_NOT_RESOLVED at x',
      'network',
      'The host name a.test:81 could not be resolved (ERR_NAME_NOT_RESOLVED)',
    ],
    ['net::ERR_CERT_DATE_INVALID at x', 'network', 'The certificate of a.test:81 is not valid (ERR_CERT_DATE_INVALID)'],
    [
      'net::ERR_BLOCKED_BY_CLIENT at x',
      'blocked',
      'a.test:81 is one of the hosts that the suite blocks (ERR_BLOCKED_BY_CLIENT)',
    ],
    ['net::ERR_BRAND_NEW at x', 'network', 'The page could not be loaded (ERR_BRAND_NEW)'],
    ['page.goto: Download is starting', 'other', 'The URL returned a download instead of a page'],
    ['Something else\nand a call log', 'other', 'The page could not be loaded: Something else'],
  ])('says in words what %j means', (text, code, message) => {
    const failed = notLoaded(new Error(text), URL);
    expect(failed).toBeInstanceOf(CaptureError);
    expect(failed).toMatchObject({ code, message });
  });
});

it.each([
  [593, 'The host name a.test:81 could not be resolved'],
  [594, 'The connection to a.test:81 was refused'],
  [596, 'The connection to a.test:81 was reset'],
  [599, 'a.test:81 could not be reached'],
])('%s of the proxy says in words that nothing answered', (status, message) => {
  expect(notAnswered(status, URL)).toMatchObject({ code: 'network', message });
});

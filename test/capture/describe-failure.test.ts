import { describe, expect, it } from '@jest/globals';
import { describeNavigationFailure, describeStatus } from '../../src/capture/describe-failure.ts';

describe('describeStatus', () => {
  it('names the status as it is registered, and copes with one that is not', () => {
    expect(describeStatus(404)).toBe('The page returned 404 Not Found');
    expect(describeStatus(499)).toBe('The page returned 499');
  });
});

describe('describeNavigationFailure', () => {
  it.each([
    ['net::ERR_NAME_NOT_RESOLVED at x', 'The host name a.test:81 could not be resolved (ERR_NAME_NOT_RESOLVED)'],
    ['net::ERR_CERT_DATE_INVALID at x', 'The certificate of a.test:81 is not valid (ERR_CERT_DATE_INVALID)'],
    ['net::ERR_BRAND_NEW at x', 'The page could not be loaded (ERR_BRAND_NEW)'],
    ['page.goto: Download is starting', 'The URL returned a download instead of a page'],
    ['Something else\nand a call log', 'The page could not be loaded: Something else'],
  ])('says in words what %j means', (message, sentence) => {
    expect(describeNavigationFailure(message, 'http://a.test:81/')).toBe(sentence);
  });
});

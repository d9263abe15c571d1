import { describe, expect, it } from '@jest/globals';
import { describeNavigationFailure, describeStatus } from '../../src/capture/describe-failure.ts';

describe('describeStatus', () => {
  it('names the status as it is registered, and copes with one that is not', () => {
    expect(describeStatus(404)).toBe('The page answered 404 Not Found');
    expect(describeStatus(599)).toBe('The page answered 599');
  });
});

describe('describeNavigationFailure', () => {
  it.each([
    ['net::ERR_NAME_NOT_RESOLVED', 'The host name a.test:81 could not be resolved (ERR_NAME_NOT_RESOLVED)'],
    ['net::ERR_CERT_DATE_INVALID', 'The certificate of a.test:81 is not valid (ERR_CERT_DATE_INVALID)'],
    ['net::ERR_TUNNEL_CONNECTION_FAILED', 'The address a.test:81 may not be reached, or did not answer'],
    ['net::ERR_BRAND_NEW', 'The page could not be loaded (ERR_BRAND_NEW)'],
    ['Download is starting', 'The address answered with a download, not with a page'],
    ['Something else\nwith a call log', 'The page could not be loaded: Something else'],
  ])('says in words what %s means', (code, sentence) => {
    expect(
      describeNavigationFailure(
        `page.goto: ${code} at http://a.test:81/`.replace('page.goto: S', 'S').replace(/ at .*with/s, '\nwith'),
        'http://a.test:81/',
      ),
    ).toContain(sentence);
  });
});

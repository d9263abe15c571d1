import { describe, expect, it } from '@jest/globals';
import { headersFor, isSentTo, type SentAccess } from '../../src/net/sent-access.ts';

const access = (origin: string): SentAccess => ({
  origin,
  headers: [{ name: 'x-token', value: 'secret' }],
  cookies: [
    { name: 'all', value: '1', path: '/', httpOnly: true, sameSite: 'Lax' },
    { name: 'docs', value: '2', path: '/docs', httpOnly: true, sameSite: 'Lax' },
  ],
  localStorage: [],
});

describe('access to a site', () => {
  it.each([
    ['https://docs.test/page', true],
    ['http://docs.test/page', false],
    ['https://docs.test:8443/', false],
    ['https://www.docs.test/', false],
    ['https://docs.test.evil.test/', false],
    ['https://docs.test@evil.test/', false],
    ['not a URL', false],
  ])('for https://docs.test goes to %s: %s', (url, sent) => {
    expect(isSentTo(access('https://docs.test'), url)).toBe(sent);
    expect(headersFor(access('https://docs.test'), url)).toEqual(sent ? { 'x-token': 'secret', cookie: 'all=1' } : {});
  });

  it('follows a site from http to https on its own host, not from a port of its own', () => {
    expect(isSentTo(access('http://docs.test'), 'https://docs.test/')).toBe(true);
    expect(isSentTo(access('http://docs.test:8080'), 'https://docs.test/')).toBe(false);
    expect(isSentTo(access('http://docs.test'), 'https://docs.test:8443/')).toBe(false);
  });

  it('sends cookies to their paths', () => {
    const { cookie } = headersFor(access('https://docs.test'), 'https://docs.test/docs/a');
    expect(cookie).toBe('all=1; docs=2');
    expect(headersFor(access('https://docs.test'), 'https://docs.test/docsearch')['cookie']).toBe('all=1');
  });
});

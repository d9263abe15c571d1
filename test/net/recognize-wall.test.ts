import { describe, expect, it } from '@jest/globals';
import { recognizeWall, wallAt, type Wall } from '../../src/net/recognize-wall.ts';

const URL_ASKED = 'https://docs.test/guide';

describe('an answer', () => {
  it.each<[number, Record<string, string>, string, Wall | null]>([
    [200, {}, '<p>Welcome</p>', null],
    [404, { server: 'Vercel' }, '', null],
    [500, {}, '', null],
    [301, { location: '/guide/' }, '', null],
    [302, { location: 'https://www.docs.test/guide' }, '', null],
    [302, { location: '/blog/authors' }, '', null],
    [302, { location: '/login?next=/guide' }, '', 'login'],
    [303, { location: 'https://id.docs.test/oauth2/authorize?x=1' }, '', 'login'],
    [403, { server: 'cloudflare' }, '<title>Forbidden - Cloudflare Access</title>', 'cloudflareAccess'],
    [401, { 'www-authenticate': 'Cloudflare-Access resource_metadata="x"' }, '', 'cloudflareAccess'],
    [401, { server: 'Vercel', 'www-authenticate': 'Basic realm="x"' }, '', 'basic'],
    [401, { 'x-nf-request-id': '1', 'www-authenticate': 'Basic realm="x"' }, '', 'basic'],
    [401, { server: 'nginx' }, '<input type=password>', 'login'],
    [403, {}, '', 'login'],
  ])('%i %j %s: %s', (status, headers, body, wall) => {
    expect(recognizeWall({ status, headers, body }, URL_ASKED)).toBe(wall);
  });

  it('of a login page that redirects to itself is that page', () => {
    const answer = { status: 302, headers: { location: '/login?step=2' } };
    expect(recognizeWall(answer, 'https://docs.test/login')).toBeNull();
  });
});

describe('an address', () => {
  it.each<[string, Wall | null]>([
    ['https://docs.test/guide/login-to-the-api', null],
    ['https://docs.test/users/sign_in', 'login'],
    ['https://notvercel.com/', null],
    ['https://accounts.docs.test/', 'login'],
  ])('%s: %s', (url, wall) => expect(wallAt(url)).toBe(wall));
});

import { describe, expect, it } from '@jest/globals';
import { isOnHost } from '../../src/net/site-base.ts';
import { pageAddress, pageUrl } from '../../src/pages/page-identity.ts';

const SAME: [string, string][] = [
  ['HTTP://Example.COM:80', 'http://example.com/'],
  ['https://example.com:443/a#part', 'https://example.com/a'],
  ['https://example.com:8443/a?', 'https://example.com:8443/a'],
  ['http://user:secret@example.com/', 'http://example.com/'],
  ['http://example.com/a/./b/../c', 'http://example.com/a/c'],
  ['http://example.com/%7euser/%c3%a9?q=%2f%41', 'http://example.com/~user/%C3%A9?q=%2FA'],
  ['http://example.com/%%32%45?a=%2%35', 'http://example.com/%%32E?a=%2%35'],
  ['http://example.com/é ü', 'http://example.com/%C3%A9%20%C3%BC'],
  ['http://example.com/a?utm_source=x&b=2&fbclid=y&a=1&UTM_Medium=z', 'http://example.com/a?b=2&a=1'],
  ['http://example.com/a?gclid=x&msclkid=1&mc_cid=2&mc_eid=3', 'http://example.com/a'],
  ['http://example.com/a?&b&&c=', 'http://example.com/a?b&c='],
  ['http://example.com/a;jsessionid=0A1b.node1?b=1', 'http://example.com/a?b=1'],
  ['http://example.com/a;v=1;%4ASESSIONID=0A1b;w=2', 'http://example.com/a;v=1;w=2'],
  ['http://example.com/a/..;jsessionid=0A1b', 'http://example.com/'],
  ['http://example.com/;jsession;jsessionid=xid=1', 'http://example.com/;jsession'],
  ['http://example.com/a?PHPSESSID=q1&b=1&sid=0123456789abcdef0123456789ABCDEF', 'http://example.com/a?b=1'],
  ['http://example.com/a?sid=12&jsession=1', 'http://example.com/a?sid=12&jsession=1'],
  ['http://example.com//a//', 'http://example.com//a//'],
];

describe('pageAddress', () => {
  it.each(SAME)('takes %s for %s', (text, url) => {
    expect(pageAddress(text)?.url).toBe(url);
  });

  it('finds the same again in its own answer', () => {
    for (const [text] of SAME) {
      const once = pageAddress(text);
      expect(pageAddress(once?.url ?? '')).toEqual(once);
    }
  });

  it('names the path by pathname and search, and keeps what may differ', () => {
    expect(pageAddress('http://a.test/b/?y=1&x=2#c')?.path).toBe('/b/?y=1&x=2');
    expect(pageAddress('http://a.test/b')?.path).not.toBe(pageAddress('http://a.test/b/')?.path);
  });

  it('is null for what is no page, and for an address that no index can hold', () => {
    for (const text of ['mailto:a@b.c', 'javascript:1', 'data:,x', 'ftp://a.test/', 'http://', 'relative']) {
      expect(pageAddress(text)).toBeNull();
    }
    expect(pageAddress(`http://a.test/${'x'.repeat(3000)}`)).toBeNull();
  });
});

describe('pageUrl', () => {
  it('puts a path on an origin, and never on another host', () => {
    expect(pageUrl('https://preview.test/ignored?x', '/a?b=1')).toBe('https://preview.test/a?b=1');
    expect(pageUrl('https://preview.test', '//evil.test/x')).toBe('https://preview.test//evil.test/x');
  });
});

describe('isOnHost', () => {
  it('takes http and https on their own ports for one host, and nothing else', () => {
    const base = 'http://example.com/start';
    expect(isOnHost('https://EXAMPLE.com/x', base)).toBe(true);
    expect(isOnHost('http://example.com:80/', base)).toBe(true);
    for (const url of [
      'http://www.example.com/',
      'http://example.com:8080/',
      'https://example.com:80/',
      'http://example.org/',
    ]) {
      expect(isOnHost(url, base)).toBe(false);
    }
    expect(isOnHost('http://[::1]:3000/', 'http://[::1]:3000')).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { combineServed, listAssets, readHeaders, withoutNames } from '../../../src/capture/served/served.ts';

describe('what a server gave for a page', () => {
  it('is what each load was given: the rest is chance', () => {
    const loads = [
      { document: 'a', nonce: '1', 'header x-build': '7' },
      { document: 'a', nonce: '2' },
    ];
    expect(combineServed(loads)).toEqual({ document: 'a', nonce: null, 'header x-build': null });
    expect(combineServed(loads.toReversed())).toEqual({ document: 'a', nonce: null, 'header x-build': null });
  });

  it('is not known after one load', () => {
    expect(combineServed([{ document: 'a' }])).toBeNull();
    expect(combineServed([])).toBeNull();
  });
});

describe('text without the names of servers', () => {
  const origins = ['https://example.com', 'http://preview.example.com:8080'];

  it.each([
    ['absolute links', '<a href="https://example.com/a">', '<a href="http://preview.example.com:8080/a">'],
    ['links without a scheme', '<a href="//example.com/a">', '<a href="//preview.example.com:8080/a">'],
    ['escaped links', '"https:\\/\\/example.com\\/a"', '"http:\\/\\/preview.example.com:8080\\/a"'],
    ['encoded links', 'u=https%3A%2F%2Fexample.com%2Fa', 'u=http%3a%2f%2fpreview.example.com%3A8080%2fa'],
    ['names', 'Welcome to Example.com', 'Welcome to preview.example.com'],
    ['tokens in tags', '<p><input value="a1" name="csrf">', '<p><input value="b2" name="csrf">'],
    ['tokens in data', '{"csrfToken":"a1","a":1}', '{"csrfToken":"b2","a":1}'],
    ['times', 'at 12:05, or 12:05:01.123, or 1700000000', 'at 3:06, or 12:06:59.4, or 1700000000123'],
    ['times in dates', 'on 2026-11-25T12:05Z', 'on 2026-11-25T13:06Z'],
    ['durations', '<!-- made in 2 ms, 0.12 seconds, 3s -->', '<!-- made in 3 ms, 0.1 seconds, 12s -->'],
  ])('is the same for %s', (_, one, other) => {
    expect(withoutNames(one, origins)).toBe(withoutNames(other, origins));
  });

  it('keeps what is another text', () => {
    expect(withoutNames('build 7', origins)).not.toBe(withoutNames('build 8', origins));
    expect(withoutNames('{"token":1,"a":1}', origins)).not.toBe(withoutNames('{"token":1,"a":2}', origins));
  });
});

it('the assets of a document are its scripts, style sheets and images', () => {
  const html = `<link rel="stylesheet" href="/b.css"><script src='/a.js'></script><img alt="" src=/c.png>
    <a href="/not">x</a><script>const src = "/no.js"</script><img alt="" src=/c.png>`;
  expect(listAssets(html)).toEqual(['/a.js', '/b.css', '/c.png']);
});

describe('headers', () => {
  const read = (headers: Record<string, string>) => readHeaders(headers, ['http://a.test']);

  it('tell a deployment by their names', () => {
    expect(read({ 'x-deployment-id': 'one', 'x-git-sha': 'abc', 'x-site-version': 'of a.test' })).toEqual({
      'header x-deployment-id': 'one',
      'header x-git-sha': 'abc',
      'header x-site-version': 'of ',
    });
    expect(
      read({ date: 'now', age: '3', 'set-cookie': 'a=b', 'x-request-id': '1', 'x-cache': 'HIT', etag: '1' }),
    ).toEqual({});
  });

  it('say when the page was modified, unless that is now', () => {
    const date = 'Tue, 10 Nov 2026 10:00:00 GMT';
    expect(read({ date, 'last-modified': 'Tue, 10 Nov 2026 09:00:00 GMT' })).toEqual({
      'last-modified': '2026-11-10T09:00:00.000Z',
    });
    expect(read({ date, 'last-modified': 'Tue, 10 Nov 2026 09:59:59 GMT' })).toEqual({});
    expect(read({ 'last-modified': new Date().toUTCString() })).toEqual({});
    expect(read({ date, 'last-modified': 'yesterday' })).toEqual({});
  });
});

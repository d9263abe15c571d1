import { describe, expect, it } from '@jest/globals';
import { buildPager, withQuery } from '../../src/web/web-route.ts';

const at = (page: number, total = 101) =>
  buildPager({ page, size: 50, path: '/runs', query: { status: 'FAILED', q: '' } }, total);

describe('a pager', () => {
  it('is none where everything is on one page', () => {
    expect(at(1, 50)).toBeNull();
  });

  it('keeps the filters, and leaves the first page without a number', () => {
    expect(at(1)).toEqual({ first: 1, last: 50, total: 101, previous: null, next: '/runs?status=FAILED&page=2' });
    expect(at(2)).toMatchObject({ previous: '/runs?status=FAILED', next: '/runs?status=FAILED&page=3' });
    expect(at(3)).toMatchObject({ first: 101, last: 101, next: null });
  });

  it('leads back from behind the end', () => {
    expect(at(9)).toMatchObject({ last: 101, next: null });
  });
});

describe('an address with a query', () => {
  it('leaves out what is empty and escapes the rest', () => {
    expect(withQuery('/x', { a: null, b: undefined, c: '', d: 0, e: 'a&b ü' })).toBe('/x?d=0&e=a%26b+%C3%BC');
    expect(withQuery('/x', {})).toBe('/x');
    expect(withQuery('/x', { a: ['1', '2'], b: [] })).toBe('/x?a=1&a=2');
  });
});

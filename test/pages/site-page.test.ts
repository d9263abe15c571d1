import { describe, expect, it } from '@jest/globals';
import type { Discovery } from '../../src/pages/crawl/discovery.ts';
import { pageChanges, type KnownPage } from '../../src/pages/site-page.ts';
import { worstStatus } from '../../src/runs/page-results/result-of-page.ts';

const discovery = (paths: string[], rest: Partial<Discovery> = {}): Discovery => ({
  pages: paths.map((path) => ({ path, title: `Title of ${path}`, foundOn: '/' })),
  missing: [],
  unavailable: [],
  beyondDepth: [],
  truncated: false,
  failure: null,
  isLogin: false,
  warnings: [],
  ...rest,
});

const known = (path: string, rest: Partial<KnownPage> = {}): KnownPage => ({
  id: `id of ${path}`,
  path,
  status: 'ACTIVE',
  addedByHand: false,
  foundOn: null,
  ...rest,
});

describe('pageChanges', () => {
  it('adds what is new, sees what is known, also after REMOVED, and removes what is missing', () => {
    const changes = pageChanges(
      [known('/a'), known('/back', { status: 'REMOVED' }), known('/gone'), known('/new', { status: 'NEW' })],
      discovery(['/a', '/back', '/fresh']),
    );
    expect(changes.added.map(({ path }) => path)).toEqual(['/fresh']);
    expect(changes.seen.map(({ path }) => path)).toEqual(['/a', '/back']);
    expect(changes.removed).toEqual(['id of /gone', 'id of /new']);
  });

  it('does not remove again what is REMOVED already', () => {
    expect(pageChanges([known('/x', { status: 'REMOVED' })], discovery(['/a'], { missing: ['/x'] })).removed).toEqual(
      [],
    );
  });

  it('changes nothing when the crawl came to no page', () => {
    const failed = discovery([], { failure: 'The site is down', missing: ['/a'] });
    expect(pageChanges([known('/a')], failed)).toEqual({ added: [], seen: [], removed: [] });
  });

  it('leaves a page that did not answer, or that lies too deep', () => {
    const found = discovery(['/a'], { unavailable: ['/busy'], beyondDepth: ['/deep'] });
    expect(pageChanges([known('/busy'), known('/deep'), known('/gone')], found).removed).toEqual(['id of /gone']);
  });

  it('leaves what lies behind a page that did not answer, however far, and nothing else', () => {
    const pages = [
      known('/hub'),
      known('/child', { foundOn: '/hub' }),
      known('/grandchild', { foundOn: '/child' }),
      known('/unlinked', { foundOn: '/' }),
      known('/behind-gone', { foundOn: '/gone' }),
      known('/gone', { foundOn: '/hub' }),
      known('/circle', { foundOn: '/circle' }),
    ];
    const found = discovery(['/'], { unavailable: ['/hub'], missing: ['/gone'] });
    const removed = ['/unlinked', '/behind-gone', '/gone', '/circle'].map((path) => `id of ${path}`);
    expect(pageChanges(pages, found).removed).toEqual(removed);
  });

  it('removes after a crawl cut short only what said that it is gone', () => {
    const cut = discovery(['/a'], { truncated: true, missing: ['/gone'] });
    expect(pageChanges([known('/gone'), known('/unseen')], cut).removed).toEqual(['id of /gone']);
  });

  it('removes a page added by hand only when it says that it is gone', () => {
    const byHand = [known('/alone', { addedByHand: true }), known('/gone', { addedByHand: true })];
    expect(pageChanges(byHand, discovery(['/a'], { missing: ['/gone'] })).removed).toEqual(['id of /gone']);
  });
});

describe('worstStatus', () => {
  it('lets the worst win', () => {
    expect(worstStatus(['PASS', 'FAIL', 'ERROR', 'PENDING'])).toBe('ERROR');
    expect(worstStatus(['PASS', 'CANCELLED', 'FAIL'])).toBe('FAIL');
    expect(worstStatus(['PASS', 'PENDING', 'CANCELLED'])).toBe('PENDING');
    expect(worstStatus(['PASS', 'CANCELLED'])).toBe('CANCELLED');
    expect(worstStatus(['PASS', 'PASS'])).toBe('PASS');
  });
});

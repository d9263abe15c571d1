import { describe, expect, it } from '@jest/globals';
import { findUnmatchedSelectors, type RuleMatches } from '../../src/runs/unmatched-selectors.ts';

const result = (path: string, unmatchedSelectors: string[], viewport = 'desktop'): RuleMatches => ({
  path,
  viewport,
  unmatchedSelectors,
});

describe('the selectors that matched nothing in a run', () => {
  const rules = [
    { paths: ['**'], hide: ['.ad'], ignore: ['#clock'] },
    { paths: ['/blog/**'], mask: ['video'], actions: [{ type: 'click' as const, selector: '.more' }] },
  ];

  it('are those that no page has whose rules name them', () => {
    const results = [
      result('/', ['.ad', '#clock']),
      result('/blog/a', ['.ad', 'video', '.more']),
      result('/blog/b', ['.ad', 'video', '#clock']),
    ];
    expect(findUnmatchedSelectors(rules, results)).toEqual(['.ad', 'video']);
  });

  it('are of no concern where a later rule does something else', () => {
    const other = [...rules, { paths: ['/blog/b'], actions: [] }];
    expect(findUnmatchedSelectors(other, [result('/blog/a', ['.more']), result('/blog/b', [])])).toEqual(['.more']);
  });

  it('are none in a run without rules, or without a captured page', () => {
    expect(findUnmatchedSelectors([], [result('/', [])])).toEqual([]);
    expect(findUnmatchedSelectors(rules, [])).toEqual([]);
  });

  it('are judged at the viewports of their rules', () => {
    const narrow = [{ paths: ['**'], viewports: ['mobile'], hide: ['.menu'] }];
    const results = [result('/', []), result('/', ['.menu'], 'mobile')];
    expect(findUnmatchedSelectors(narrow, results)).toEqual(['.menu']);
  });
});

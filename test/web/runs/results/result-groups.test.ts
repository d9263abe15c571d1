import { expect, it } from '@jest/globals';
import { foldFaint } from '../../../../src/web/runs/results/result-groups.ts';

const isFaint = (text: string) => text.startsWith('faint');

it('folds faint changes where they stand, and opens them for the one that is shown', () => {
  expect(foldFaint(['a', 'faint 1', 'faint 2', 'new'], isFaint, (text) => text === 'faint 2')).toEqual([
    { one: 'a', faint: null },
    { one: null, faint: { label: 'Faint changes (2)', open: true, items: ['faint 1', 'faint 2'] } },
    { one: 'new', faint: null },
  ]);
});

it('folds nothing where there is nothing faint', () => {
  expect(foldFaint(['a', 'b'], isFaint)).toEqual([
    { one: 'a', faint: null },
    { one: 'b', faint: null },
  ]);
  expect(foldFaint([], isFaint)).toEqual([]);
});

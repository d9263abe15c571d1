import { expect, it } from '@jest/globals';
import type { HeardDifference } from '../../../src/elements/heard/find-heard-differences.ts';
import { toChanges } from '../../../src/runs/judging/heard.ts';

const MAPS = { baseline: null, current: null };

const differences = (count: number): HeardDifference[] =>
  Array.from({ length: count }, (_, at) => ({
    key: `${at}`.padStart(32, '0'),
    part: `button “${at}”`,
    what: 'lost its name',
    before: `${at}`,
    after: '',
    was: null,
    is: null,
  }));

it('has a change for each difference that is heard', () => {
  const found = toChanges({ differences: differences(100), holds: true }, MAPS);
  expect(found.map(({ key }) => key)).toEqual(differences(100).map(({ key }) => key));
});

it('has one more change for those above the limit, so that nobody approves them with the others', () => {
  const found = toChanges({ differences: differences(103), holds: true }, MAPS);
  expect(found).toHaveLength(100);
  expect(found.at(-1)).toMatchObject({ kind: 'ACCESSIBILITY', summary: 'has 4 other differences', informs: false });
  expect(found.at(-1)?.after).toContain('button “102” lost its name');
  const others = toChanges({ differences: differences(104).toSpliced(101, 1), holds: true }, MAPS);
  expect(others.at(-1)?.key).not.toBe(found.at(-1)?.key);
  expect(others.at(-1)?.picture).not.toBe(found.at(-1)?.picture);
});

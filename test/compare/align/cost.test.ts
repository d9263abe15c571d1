import { describe, expect, it } from '@jest/globals';
import { fitHunk } from '../../../src/compare/align/cost.ts';
import { columnsOf } from './letters.ts';

const fit = (baseline: string[], current: string[]) =>
  fitHunk(columnsOf(baseline, current), { a: 0, aEnd: baseline.length, b: 0, bEnd: current.length });

const rows = (count: number, of: (row: number) => string) => Array.from({ length: count }, (_, row) => of(row));

describe('two stretches laid over each other', () => {
  it('of one height differ where they do', () => {
    expect(fit(['abc', 'def'], ['abx', 'yef'])).toEqual({ cost: 2, at: 'top', compared: 6 });
  });

  it('of different height lie where fewer pixels differ, and the rest of the taller one differs', () => {
    expect(fit(['aa', 'bb', 'cc'], ['bb', 'cx'])).toEqual({ cost: 2 + 1, at: 'bottom', compared: 8 });
    expect(fit(['bb', 'cx'], ['aa', 'bb', 'cc'])).toEqual({ cost: 2 + 1, at: 'bottom', compared: 8 });
    expect(fit(['aa', 'bb', 'cc'], ['aa', 'bx'])).toEqual({ cost: 2 + 1, at: 'top', compared: 8 });
    expect(fit(['aa', 'aa', 'aa'], ['aa'])).toEqual({ cost: 4, at: 'top', compared: 4 });
  });

  it('of which one is nothing differ as a whole', () => {
    expect(fitHunk(columnsOf(['aa', 'bb'], ['aa']), { a: 0, aEnd: 2, b: 1, bEnd: 1 })).toEqual({
      cost: 4,
      at: 'top',
      compared: 0,
    });
  });

  it('are looked at in some rows, if they are tall', () => {
    const blank = rows(150, () => 'aa');
    const every = (row: number, part: number) => (row % 3 === part ? 'ab' : 'aa');
    expect(
      fit(
        blank,
        rows(150, (row) => every(row, 0)),
      ),
    ).toEqual({ cost: 150, at: 'top', compared: 192 });
    expect(
      fit(
        blank,
        rows(150, (row) => every(row, 1)),
      ),
    ).toEqual({ cost: 0, at: 'top', compared: 192 });
    expect(
      fit(
        blank.slice(0, 95),
        rows(95, (row) => every(row, 1)),
      ).cost,
    ).toBe(32);
  });
});

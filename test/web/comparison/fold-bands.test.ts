import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldBands, foldMarks, outlineChanges } from '../../../src/web/comparison/fold-bands.ts';

const box = (y: number, height = 10) => ({ x: 5, y, width: 10, height });
const CANVAS = { width: 1200, height: 5000 };

it('leaves out what is far from every change, with a strip for each band', () => {
  const folded = foldBands([box(1000), box(1100), box(4990)], CANVAS);
  expect(folded?.bands).toEqual([
    { top: 940, height: 230, at: 50 },
    { top: 4930, height: 70, at: 330 },
  ]);
  expect(folded?.folds.map(({ at, hidden }) => [at, hidden])).toEqual([
    [0, 940],
    [280, 3760],
  ]);
  expect([folded?.height, folded?.hidden]).toEqual([400, 4700]);
});

it('folds nothing where nothing differs, or where everything is near a change', () => {
  expect(foldBands([], CANVAS)).toBeNull();
  expect(foldBands([box(200, 4600)], CANVAS)).toBeNull();
});

it('moves what is drawn over the screenshots, and cuts what reaches into a folded band', () => {
  const ignored = [{ x: 0, y: 0, width: 1200, height: 5000 }];
  const marks = outlineChanges([box(1000)], { baseline: [], current: ignored }, false);
  const folded = foldBands(marks.current.changes, CANVAS);
  if (folded === null) throw new Error('Nothing was folded');
  const { current } = foldMarks(marks, folded);
  const [band] = folded.bands;
  expect(current.changes).toEqual([{ ...marks.current.changes[0], y: 996 - (band?.top ?? 0) + (band?.at ?? 0) }]);
  expect(current.ignored).toEqual([{ x: 0, y: band?.at, width: 1200, height: band?.height }]);
});

it('keeps every change whole, and loses no row', () => {
  const changes = fc.array(
    fc.record({ y: fc.integer({ min: 0, max: 19_000 }), height: fc.integer({ min: 1, max: 900 }) }),
    {
      minLength: 1,
      maxLength: 120,
    },
  );
  fc.assert(
    fc.property(changes, (places) => {
      const all = places.map(({ y, height }) => box(y, height));
      const folded = foldBands(all, { width: 800, height: 20_000 });
      if (folded === null) return;
      const shown = folded.bands.reduce((sum, { height }) => sum + height, 0);
      const strips = folded.folds.reduce((sum, { height }) => sum + height, 0);
      expect(shown + folded.hidden).toBe(20_000);
      expect(folded.height).toBe(shown + strips);
      expect(folded.folds.length).toBeLessThanOrEqual(40);
      for (const { y, height } of all) {
        const band = folded.bands.find(({ top, height: high }) => top <= y && y + height <= top + high);
        expect(band).toBeDefined();
      }
    }),
  );
});

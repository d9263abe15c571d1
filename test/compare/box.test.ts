import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { intersect, intersectAll, toBox, type Box } from '../../src/compare/box.ts';

const boxes = fc.array(
  fc
    .record({ x: fc.nat(20), y: fc.nat(40), width: fc.nat(12), height: fc.nat(12) })
    .map((region): Box => toBox(region)),
  { maxLength: 12 },
);

const sorted = (found: Box[]) => found.map((box) => JSON.stringify(box)).toSorted();

it('intersects each box with each other one, wherever they are', () => {
  fc.assert(
    fc.property(boxes, boxes, (ones, others) => {
      const each = ones.flatMap((one) => others.flatMap((other) => intersect(one, other)));
      expect(sorted(intersectAll(ones, others))).toEqual(sorted(each));
    }),
  );
});

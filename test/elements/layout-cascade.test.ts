import { describe, expect, it } from '@jest/globals';
import { buildCascade, findResized } from '../../src/elements/layout-cascade.ts';
import { matchElements } from '../../src/elements/match-elements.ts';
import { mapOf } from './element-map.ts';

/** A list of rows, each with words in it. */
const list = (rows: number, height: number) =>
  mapOf(
    { tag: 'ul', box: [0, 0, 800, rows * height] },
    ...Array.from({ length: rows }, (_, at) => [
      { parent: 0, tag: 'li', box: [0, at * height, 800, height] as [number, number, number, number] },
      { parent: 1 + 2 * at, tag: 'span', text: `Row ${at}` },
    ]).flat(),
  );

describe('a list whose rows all got higher', () => {
  it('has its rows counted a few times, not each with every other one', () => {
    const rows = 300;
    const matching = matchElements(list(rows, 20), list(rows, 21));
    let reads = 0;
    for (const node of matching.current.filter(({ element }) => element.tag === 'li')) {
      const { children } = node;
      Object.defineProperty(node, 'children', {
        get: () => {
          reads += 1;
          return children;
        },
      });
    }
    expect(findResized(matching, buildCascade(matching)).size).toBe(rows);
    expect(reads).toBeLessThan(20 * rows);
  });
});

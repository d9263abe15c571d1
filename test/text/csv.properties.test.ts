import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { writeCsvRow } from '../../src/api/events.ts';

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'])('defuses %j', (cell) => {
  expect(writeCsvRow([cell])).toBe(`"'${cell}"\r\n`);
});

it('leaves other text as it is, with quotes doubled', () => {
  expect(writeCsvRow(['a,b', 'say "hi"', '', 'a=b\nc'])).toBe('"a,b","say ""hi""","","a=b\nc"\r\n');
});

/** As RFC 4180 says, for one row whose cells are all quoted. */
function readRow(row: string): string[] {
  const cells = [...row.slice(0, -2).matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)];
  return cells.map(([, cell = '']) => cell.replaceAll('""', '"'));
}

it('keeps any text, and no cell begins a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
      const read = readRow(writeCsvRow(cells));
      expect(read.map((cell, at) => (cell === cells[at] ? cell : cell.slice(1)))).toEqual(cells);
      expect(read.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    }),
  );
});

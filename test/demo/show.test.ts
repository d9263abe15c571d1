import { describe, expect, it } from '@jest/globals';
import { departures, formatTable } from '../../demo/show.js';

describe('what the demo shows', () => {
  it('names what is missing, what was not planned, and what appears twice', () => {
    expect(departures('Run', ['a', 'b'], ['b', 'c', 'c'])).toEqual([
      'Run: a is missing',
      'Run: c was not planned',
      'Run: c was not planned',
      'Run: c appears twice',
    ]);
    expect(departures('Run', ['a', 'b'], ['b', 'a'])).toEqual([]);
  });

  it('is a table whose columns are as wide as their widest cell', () => {
    const rows = [
      ['page', 'image'],
      ['/prices', 'http://x.example/long.png'],
    ];
    expect(formatTable(rows)).toBe('page     image\n-------  -----\n/prices  http://x.example/long.png');
  });
});

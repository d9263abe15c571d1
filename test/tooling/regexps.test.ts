import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { BOUNDED, findRegexps } from './regexps.js';

const LIST = new URL('linear-regexps.json', import.meta.url);

describe('the regular expressions of src', () => {
  it('take linear time: run `npm run regexps`, which examines new ones', () => {
    const known = new Set([
      ...z.array(z.string()).parse(JSON.parse(readFileSync(LIST, 'utf8'))),
      ...Object.keys(BOUNDED),
    ]);
    expect([...findRegexps().keys()].filter((text) => !known.has(text))).toEqual([]);
  });

  it('have no exception that nobody needs', () => {
    const found = findRegexps();
    expect(Object.keys(BOUNDED).filter((text) => !found.has(text))).toEqual([]);
  });
});

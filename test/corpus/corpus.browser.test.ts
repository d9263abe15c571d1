import { expect, it } from '@jest/globals';
import { TESTED } from './corpus.js';
import { PAGES, testCorpus } from './looks-the-same.ts';

it('has a name of its own for each page', () => {
  expect(new Set(TESTED.map(({ name }) => name)).size).toBe(TESTED.length);
});

testCorpus(PAGES.sampled);

import { expect, it } from '@jest/globals';
import { toSearchQuery } from '../../src/runs/run-search.ts';

it.each([
  ['Fix/Login', "(('fix':* | '~fix':*)) & (('login':* | '~login':*))"],
  ['#12', "'#12'"],
  ['128', "(('128':* | '~128':*) | '#128')"],
  ['0a1b2c3', "(('0a1b2c3':* | '~0a1b2c3':*) | '@0a1b2c3':*)"],
  ["it's <b>", "('it':*) & ('s':*) & ('b':*)"],
  [' - ', null],
])('the search %j looks for %s', (text, query) => {
  expect(toSearchQuery(text)).toBe(query);
});

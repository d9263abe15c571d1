import { expect, it } from '@jest/globals';
import { searchSql } from '../../../src/runs/search/run-search.ts';

const WORD = 'search_text like ?';
const NUMBER = '(number = ? or git_pr_number = ?)';

it.each([
  ['Fix/Login', `(${WORD}) and (${WORD})`, ['%fix%', '%login%']],
  ['#12', NUMBER, [12, 12]],
  ['128', `(${WORD} or ${NUMBER})`, ['%128%', 128, 128]],
  ['0a1b2c3', `(${WORD} or git_head_sha ilike ?)`, ['%0a1b2c3%', '0a1b2c3%']],
  ["it's <b>", `(${WORD}) and (${WORD}) and (${WORD})`, ['% it%', '% s%', '% b%']],
  [' - ', 'false', []],
])('the search %j looks for %s', (text, sql, bindings) => {
  expect(searchSql(text)).toEqual([sql, bindings]);
});

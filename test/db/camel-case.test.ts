import { describe, expect, it } from '@jest/globals';
import { camelCaseRows, toColumns } from '../../src/db/camel-case.ts';

const at = new Date('2026-03-01T10:00:00Z');

describe('the rows of a query', () => {
  it('have keys in camelCase, in the order of the columns, and their values as they are', () => {
    const rows = [
      { id: 1, git_pr_number: 7, config: { page_rules: [{ wait_for: 'a' }] }, ended_at: null, viewport_2x: 'b' },
      { id: 2, git_pr_number: null, config: null, ended_at: at, viewport_2x: undefined },
    ];
    const made = camelCaseRows(rows);
    expect(made).toStrictEqual([
      { id: 1, gitPrNumber: 7, config: { page_rules: [{ wait_for: 'a' }] }, endedAt: null, viewport2x: 'b' },
      { id: 2, gitPrNumber: null, config: null, endedAt: at, viewport2x: undefined },
    ]);
    expect(JSON.stringify(made)).toMatch(/^\[\{"id":1,"gitPrNumber":7,"config"/);
  });

  it('are told apart by all of their columns', () => {
    expect(camelCaseRows([{ a_b: 1, c: 2 }])).toStrictEqual([{ aB: 1, c: 2 }]);
    expect(camelCaseRows([{ a_b: 3 }])).toStrictEqual([{ aB: 3 }]);
    expect(camelCaseRows([{ c: 4, a_b: 5 }])).toStrictEqual([{ c: 4, aB: 5 }]);
  });

  it('of a raw statement stand in its result', () => {
    class Result {
      rows = [{ run_id: 1 }, { run_id: 2 }];
      rowCount = 2;
    }
    expect(camelCaseRows(new Result())).toMatchObject({ rows: [{ runId: 1 }, { runId: 2 }], rowCount: 2 });
  });

  it('may be one, none, a count, or plucked values', () => {
    expect(camelCaseRows({ test_run_id: 'r' })).toStrictEqual({ testRunId: 'r' });
    for (const other of [[], 3, null, ['a_b', null], [at]]) expect(camelCaseRows(other)).toStrictEqual(other);
    expect(camelCaseRows(undefined)).toBeNull();
  });
});

describe('values on their way into a table', () => {
  it('stand under the names of their columns, and those for jsonb are wrapped', () => {
    const values = { id: 1, gitPrNumber: null, endedAt: at, warnings: ['a'], moves: null, served: undefined };
    const { warnings, ...others } = toColumns(values, ['warnings', 'moves', 'served']);
    expect(others).toStrictEqual({ id: 1, git_pr_number: null, ended_at: at, moves: null, served: undefined });
    expect(JSON.stringify(warnings)).toBe('["a"]');
  });
});

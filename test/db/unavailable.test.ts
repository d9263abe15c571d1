import { describe, expect, it } from '@jest/globals';
import { isUnavailable } from '../../src/db/unavailable.ts';

const withCode = (code: string) => Object.assign(new Error('from the driver'), { code });

describe('isUnavailable', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', '08006', '25006', '53300', '57P01', '57P03'])(
    'is true for %s',
    (code) => {
      expect(isUnavailable(withCode(code))).toBe(true);
    },
  );

  it.each(['23505', '42601', '57014', 'ENOENT'])('is false for %s', (code) => {
    expect(isUnavailable(withCode(code))).toBe(false);
  });

  it('is true for a pool that has no connection to give', () => {
    expect(isUnavailable(Object.assign(new Error('Knex: Timeout'), { name: 'KnexTimeoutError' }))).toBe(true);
  });

  it('looks at the cause', () => {
    expect(isUnavailable(new Error('Could not save', { cause: withCode('57P01') }))).toBe(true);
    expect(isUnavailable(new Error('Could not save', { cause: new Error('a bug') }))).toBe(false);
  });

  it.each([null, undefined, 'ECONNREFUSED', new Error('a bug')])('is false for %p', (thrown) => {
    expect(isUnavailable(thrown)).toBe(false);
  });
});

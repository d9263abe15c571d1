import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

describe('connect', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('gives rows camelCase keys and leaves what is inside jsonb alone', async () => {
    const { rows } = await database.db.raw(
      `select 1 as first_key, '{"second_key": {"third_key": 1}}'::jsonb as json_value`,
    );
    expect(rows).toEqual([{ firstKey: 1, jsonValue: { second_key: { third_key: 1 } } }]);
  });
});

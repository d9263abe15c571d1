import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { computed, hasAll, notNull, type Db } from '../../src/db/database.ts';
import { json } from '../../src/db/json.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const SUITE = { name: 'Site', base_url: 'http://site.test', origin: 'http://site.test' };

describe('a query', () => {
  let database: TestDatabase;
  let db: Db;
  let userId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = database.db;
    const [user] = await db('users').insert({ email: 'a@example.com', name: 'A' }).returning('id');
    userId = user?.id ?? '';
    await db('test_suites').insert([
      { ...SUITE, user_id: userId, config: json({ crawlDepth: 2 }) },
      { ...SUITE, user_id: userId, is_active: false },
    ]);
  });
  afterAll(async () => database.drop());

  it('answers the columns that it selects, in camelCase, with the types of the tables', async () => {
    const rows: { isActive: boolean; ownerName: string | null }[] = await db('test_suites')
      .join('users', 'users.id', 'test_suites.user_id')
      .orderBy('is_active')
      .select(['test_suites.is_active', 'users.name as owner_name']);
    expect(rows).toEqual([
      { isActive: false, ownerName: 'A' },
      { isActive: true, ownerName: 'A' },
    ]);
  });

  it('answers null for what a left join does not find', async () => {
    const row = await db('test_suites')
      .leftJoin('site_pages as page', 'page.test_suite_id', 'test_suites.id')
      .first('page.path', 'page.tracked');
    const found: { path: string | null; tracked: boolean | null } | null = row;
    expect(found).toEqual({ path: null, tracked: null });
  });

  it('computes values of the type that it names', async () => {
    const row = await db('test_suites').first(
      computed(db, 'how_many', 'bigint', 'count(*) filter (where is_active = ?)', [false]),
      computed(db, 'newest', 'timestamptz', 'max(created_at)'),
      computed(db, 'error', 'text or null', 'max(crawl_error)'),
    );
    const found: { howMany: number; newest: Date; error: string | null } | null = row;
    expect(found).toEqual({ howMany: 1, newest: expect.any(Date), error: null });
    await expect(db('users').first(computed(db, 'id', 'bigint', 'email'))).rejects.toThrow('bigint');
  });

  it('keeps lists and objects in jsonb', async () => {
    const [row] = await db('test_suites')
      .where({ is_active: true })
      .update({ crawl_stats: json({ pagesFound: 1, pagesAdded: 1, pagesRemoved: 0 }) })
      .returning(['config', 'crawl_stats']);
    expect(row).toEqual({
      config: { crawlDepth: 2 },
      crawlStats: { pagesFound: 1, pagesAdded: 1, pagesRemoved: 0 },
    });
  });

  it('says which column of a row is null that should not be', async () => {
    const row = { id: '1', path: null, title: 'x' };
    expect(hasAll(row, 'id', 'title')).toBe(true);
    expect(hasAll(row, 'path')).toBe(false);
    expect(() => notNull(row, 'id', 'path')).toThrow('A row has no path');
  });

  it('does not compile with a mistake in it', () => {
    expect(mistakes).toBeInstanceOf(Function);
  });
});

/** Mistakes that must not compile: `check:types` fails if one of them does. They are not run. */
function mistakes(db: Db, row: { nme: string }): unknown[] {
  return [
    // @ts-expect-error no such table
    db('usrs'),
    // @ts-expect-error no such column
    db('users').select('nme'),
    // @ts-expect-error no such column, in a list
    db('users').select(['id', 'nme']),
    // @ts-expect-error no such column, behind another name
    db('users').first('users.nme as name'),
    // @ts-expect-error knex would not read the second list
    db('users').select(['id'], ['name']),
    // @ts-expect-error the type of this is not known
    db('users').select(db.raw('1 as one')),
    // @ts-expect-error the caller must not choose the type of the rows
    db('users').select<{ id: string }[]>('id'),
    // @ts-expect-error no such column
    db('users').where({ nme: 'A' }),
    // @ts-expect-error no such column, in a value from elsewhere
    db('users').where(row),
    // @ts-expect-error no such column
    db('users').where('nme', '=', 'A'),
    // @ts-expect-error no such column
    db('users').where((either) => void either.where({ nme: 'A' })),
    // @ts-expect-error knex throws at undefined
    db('users').where({ name: undefined }),
    // @ts-expect-error an email address is never null
    db('users').where({ email: null }),
    // @ts-expect-error no such status
    db('test_runs').where({ status: 'DONE' }),
    // @ts-expect-error no such status
    db('test_runs').whereIn('status', ['DONE']),
    // @ts-expect-error another type
    db('test_suites').whereIn('user_id', db('users').select('created_at')),
    // @ts-expect-error the table has another name here
    db('users as owner').where({ 'users.id': '' }),
    // @ts-expect-error no such column
    db('users').join('test_suites', 'test_suites.usr_id', 'users.id'),
    // @ts-expect-error no such column
    db('users').leftJoin('test_suites', (join) => join.on('test_suites.usr_id', 'users.id')),
    // @ts-expect-error no such column
    db('users').orderBy('nme'),
    // @ts-expect-error no such column
    db('users').groupBy('nme'),
    // @ts-expect-error no such column
    db('users').update({ nme: 'A' }),
    // @ts-expect-error no such column, in a value from elsewhere
    db('users').update(row),
    // @ts-expect-error no such column
    db('users').update({ name: 'A' }).returning(['id', 'nme']),
    // @ts-expect-error a column is missing
    db('users').insert({ name: 'A' }),
    // @ts-expect-error no such column
    db('users').insert([{ email: 'a@example.com', nme: 'A' }]),
    // @ts-expect-error PostgreSQL computes it
    db('page_results').update({ review_rank: 1 }),
    // @ts-expect-error no such column
    db('users').insert({ email: 'a@example.com' }).onConflict(['emial']),
    // @ts-expect-error no such column
    db('users').insert({ email: 'a@example.com' }).onConflict('email').merge({ nme: 'A' }),
    // @ts-expect-error no such column
    db('users').delete(['nme']),
    // @ts-expect-error a list would become a PostgreSQL array
    db('page_results').update({ diff_regions: [] }),
    // @ts-expect-error not what the column holds
    db('test_suites').update({ crawl_stats: json({ pages: 1 }) }),
  ];
}

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import { composeContext } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { connect } from '../../src/db/connect.ts';
import { inTransaction, prepared, readRows } from '../../src/db/database.ts';
import { isUnavailable } from '../../src/db/unavailable.ts';
import { createLogger } from '../../src/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { NOT_DATE } from '../support/not-date.ts';

const log = createLogger('silent');
const failureOf = async (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => null,
    (error: unknown) => error,
  );

describe('the database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.db.raw(`create table planets (
      planet_id bigint constraint planets_key primary key, mass_ratio numeric(9, 4), extra_facts jsonb, seen_at timestamptz)`);
  });
  afterAll(() => database.drop());

  describe('the clock of a process', () => {
    afterEach(() => void jest.useRealTimers());

    it("is the database's, whatever the clock of the host says", async () => {
      const twoHours = 7_200_000;
      jest.useFakeTimers({ now: Date.now() - twoHours, doNotFake: [...NOT_DATE] });
      const config = readConfig({ LOG_LEVEL: 'silent', JWT_SECRET: 'x'.repeat(32), DATA_DIR: '/nonexistent' });
      const { ctx, close } = await composeContext(config, database.url, log);
      const { rows } = await database.db.raw('select clock_timestamp() as now');
      expect(Math.abs(ctx.clock.now().getTime() - rows[0].now.getTime())).toBeLessThan(twoHours / 2);
      await close();
    });
  });

  describe('behind a pooler', () => {
    const settingsOf = async (pooled: boolean) => {
      const db = connect(database.url, { maxConnections: 1, log, pooled });
      await readRows(db, z.unknown(), 'select ?::int as planet', [1]);
      await db.transaction(async (trx) => readRows(trx, z.unknown(), 'select ?::int as planet', [1]));
      const { rows } = await db.raw(
        "select (select count(*) from pg_prepared_statements) as prepared, current_setting('statement_timeout') as bound",
      );
      await db.destroy();
      return rows[0];
    };

    it('leaves nothing in a session, which others have next', async () => {
      expect(await settingsOf(false)).toEqual({ prepared: 1, bound: '30s' });
      expect(await settingsOf(true)).toEqual({ prepared: 0, bound: '0' });
    });
  });

  describe('rows', () => {
    it('have camelCase keys, numbers for int8 and numeric, dates for timestamps, and jsonb as it was stored', async () => {
      const row = { planet_id: 1, mass_ratio: 0.0553, extra_facts: { a_key: [{ b_key: 1 }] }, seen_at: new Date(0) };
      const expected = { planetId: 1, massRatio: 0.0553, extraFacts: { a_key: [{ b_key: 1 }] }, seenAt: new Date(0) };
      const { db } = database;
      expect(await db('planets').insert(row).returning('*')).toEqual([expected]);
      expect(await db('planets').where({ planet_id: 1 })).toEqual([expected]);
      expect(await db('planets').where({ planet_id: 1 }).first()).toEqual(expected);
      expect((await db.raw('select * from planets where planet_id = 1')).rows).toEqual([expected]);
      expect(await db('planets').where({ planet_id: 1 }).pluck('planet_id')).toEqual([1]);
      expect(await db('planets').where({ planet_id: 1 }).update({ mass_ratio: 0.06 })).toBe(1);
      expect(await db('planets').where({ planet_id: 1 }).count('* as how_many').first()).toEqual({ howMany: 1 });
      expect(await db('planets').where({ planet_id: 7 }).first()).toBeNull();
      await db('planets').delete();
    });

    it('are refused when an int8 does not fit a number', async () => {
      await expect(database.db.raw('select 9007199254740993::int8')).rejects.toThrow('does not fit a number');
      expect((await database.db.raw('select 1 as still_there')).rows).toEqual([{ stillThere: 1 }]);
    });
  });

  describe('inTransaction', () => {
    it('commits all or nothing', async () => {
      const { db } = database;
      const failure = failureOf(
        inTransaction(db, async (trx) => {
          await trx.raw('insert into planets (planet_id) values (2)');
          throw new Error('no');
        }),
      );
      expect(await failure).toEqual(new Error('no'));
      expect(await db('planets').pluck('planet_id')).toEqual([]);
      const { rows } = await inTransaction(db, async (trx) =>
        trx.raw('insert into planets (planet_id) values (2) returning planet_id'),
      );
      expect(rows).toEqual([{ planetId: 2 }]);
    });

    it('joins a transaction that is open already', async () => {
      const { db } = database;
      const failure = db.transaction(async (outer) => {
        await inTransaction(outer, async (inner) => {
          expect(inner).toBe(outer);
          await inner.raw('insert into planets (planet_id) values (3)');
        });
        throw new Error('the owner changes its mind');
      });
      await expect(failure).rejects.toThrow('changes its mind');
      expect(await db('planets').where({ planet_id: 3 })).toEqual([]);
    });
  });

  it('is available when a row would break a unique constraint', async () => {
    const { db } = database;
    await db('planets').insert({ planet_id: 4 });
    expect(isUnavailable(await failureOf(db('planets').insert({ planet_id: 4 })))).toBe(false);
  });

  it('prepares a statement that is written as SQL once', async () => {
    const db = connect(database.url, { maxConnections: 1, log });
    const Row = z.object({ sum: z.number() });
    for (const one of [1, 2]) {
      expect(await readRows(db, Row, 'select :one::integer + 1 as sum', { one })).toEqual([{ sum: one + 1 }]);
    }
    const { rows } = await db.raw("select count(*) from pg_prepared_statements where statement like '%+ 1 as sum'");
    expect(rows).toEqual([{ count: 1 }]);
    await db.destroy();
  });

  it('prepares a query under its name once, unless sessions are shared', async () => {
    for (const pooled of [false, true]) {
      const db = connect(database.url, { maxConnections: 1, log, pooled });
      for (const id of [1, 2]) await prepared(db, 'planet', db('planets').where({ planet_id: id })).first('planet_id');
      const { rows } = await db.raw("select count(*) from pg_prepared_statements where name = 'planet'");
      expect(rows).toEqual([{ count: pooled ? 0 : 1 }]);
      await db.destroy();
    }
  });

  it('is unavailable when nobody listens', async () => {
    const nowhere = connect('postgresql://x:y@127.0.0.1:1/z', { maxConnections: 1, log });
    expect(isUnavailable(await failureOf(nowhere.raw('select 1')))).toBe(true);
    await nowhere.destroy();
  });

  it('is unavailable to a statement or a transaction whose connection is cut', async () => {
    const db = connect(database.url, { maxConnections: 2, log });
    expect(isUnavailable(await failureOf(db.raw('select pg_terminate_backend(pg_backend_pid())')))).toBe(true);
    const transaction = inTransaction(db, async (trx) => {
      await failureOf(trx.raw('select pg_terminate_backend(pg_backend_pid())'));
      await trx.raw('select 1');
    });
    expect(isUnavailable(await failureOf(transaction))).toBe(true);
    await db.destroy();
    expect(isUnavailable(await failureOf(db.raw('select 1')))).toBe(true);
  });

  it('is there again after its connections were cut, and fails as unavailable until then', async () => {
    const db = connect(database.url, { maxConnections: 2, log });
    await Promise.all([db.raw('select 1'), db.raw('select 1')]);
    await database.db.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    );
    let failure = await failureOf(db.raw('select 1'));
    while (failure !== null) {
      expect(isUnavailable(failure)).toBe(true);
      failure = await failureOf(db.raw('select 1'));
    }
    await db.destroy();
  });
});

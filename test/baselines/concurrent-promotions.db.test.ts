import { afterAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { promote } from '../../src/baselines/promote-results.ts';
import { inTransaction } from '../../src/db/database.ts';
import { CLOCK } from '../../src/events/event.ts';
import { checkInvariants } from '../../src/fsck/invariant-store.ts';
import { createTestDatabase } from '../support/database.ts';
import { newSuite, newViewer, worldOn } from '../support/world.ts';
import { promotionOf } from './promotion-of.ts';

const database = await createTestDatabase();
const world = worldOn(database.db);
afterAll(async () => database.drop());

const one = fc.record({
  path: fc.constantFrom('/', '/a'),
  image: fc.constantFrom('a', 'b', 'c'),
  isSeed: fc.boolean(),
});
/** Some promotions of one call: each page once. */
const call = fc.uniqueArray(one, { minLength: 1, maxLength: 2, selector: ({ path }) => path });

it('numbers versions without a gap, whatever is promoted at the same time', async () => {
  const viewer = await newViewer(world);
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 8 }), async (calls) => {
      const suite = await newSuite(world, viewer, []);
      const added = await Promise.all(
        calls.map(async (promotions) => {
          const all = promotions.map((each) => promotionOf(suite, each));
          return inTransaction(database.db, (trx) => promote(trx, suite, all, CLOCK));
        }),
      );
      const faults = [];
      for await (const fault of checkInvariants(database.db, suite.id)) faults.push(fault);
      expect(faults).toEqual([]);
      // No promotion by a person is lost or doubled, and a page is seeded at most once.
      const versions = await database.db('baseline_versions').where({ test_suite_id: suite.id });
      expect(versions).toHaveLength(added.flat().length);
      const wanted = calls.flat().filter(({ isSeed }) => !isSeed);
      expect(versions.filter(({ source }) => source === 'API')).toHaveLength(wanted.length);
      expect(versions.filter(({ source, version }) => source === 'INITIAL' && version > 1)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Promotion } from '../../src/baselines/baseline.ts';
import { promote } from '../../src/baselines/promote-results.ts';
import { inTransaction } from '../../src/db/database.ts';
import { CLOCK } from '../../src/events/event.ts';
import { createTestDatabase } from '../support/database.ts';
import { newSuite, newViewer, worldOn, type OwnSuite } from '../support/world.ts';
import { promotionOf } from './promotion-of.ts';

let suite: OwnSuite;

const database = await createTestDatabase();
const world = worldOn(database.db);
const viewer = await newViewer(world);
afterAll(async () => database.drop());

beforeEach(async () => {
  suite = await newSuite(world, viewer, ['/approved', '/seeded']);
});

const promoted = async (promotions: Promotion[]) =>
  inTransaction(database.db, (trx) => promote(trx, suite, promotions, CLOCK));

const isFollowed = async () => {
  const keys: string[] = await database.db('graphile_worker.jobs').whereNotNull('key').pluck('key');
  return keys.includes(`follow-baselines/${suite.id}`);
};

describe('what is promoted', () => {
  it('is all there once, however much it is', async () => {
    const paths = Array.from({ length: 1_001 }, (_, at) => `/${String(at).padStart(4, '0')}`);
    await promoted(paths.map((path) => promotionOf(suite, { path, image: 'a' })));
    const added = await promoted(paths.map((path) => promotionOf(suite, { path, image: 'b' })));
    expect(added.map(({ path, version }) => [path, version])).toEqual(paths.map((path) => [path, 2]));
    const current = await database.db('baselines').where({ test_suite_id: suite.id }).orderBy('path').pluck('path');
    expect(current).toEqual(paths);
  });

  it('is nothing when nothing is asked for', async () => {
    expect(await promoted([])).toEqual([]);
    expect(await isFollowed()).toBe(false);
  });

  it('acknowledges the pages that a person approved, and none that was only seeded', async () => {
    await database.db('site_pages').where({ test_suite_id: suite.id }).update({ status: 'NEW' });
    await promoted([
      promotionOf(suite, { path: '/approved', image: 'a' }),
      promotionOf(suite, { path: '/seeded', image: 'a', isSeed: true }),
    ]);
    const pages = await database.db('site_pages').where({ test_suite_id: suite.id }).orderBy('path').pluck('status');
    expect(pages).toEqual(['ACTIVE', 'NEW']);
  });

  it('has open pull requests compared anew, unless no version was added, or a run seeds it and will do so at its end', async () => {
    const seed = promotionOf(suite, { path: '/', image: 'a', isSeed: true });
    expect(await promoted([seed])).toHaveLength(1);
    expect(await promoted([seed])).toEqual([]);
    expect(await isFollowed()).toBe(false);
    expect(await promoted([promotionOf(suite, { path: '/', image: 'b' })])).toHaveLength(1);
    expect(await isFollowed()).toBe(true);
  });
});

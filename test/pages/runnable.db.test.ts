import { afterAll, expect, it } from '@jest/globals';
import { isRunnable, PAGE_STATUSES, RUNNABLE_PAGE_SQL } from '../../src/pages/site-page.ts';
import { createTestDatabase } from '../support/database.ts';
import { newSuite, newViewer, worldOn } from '../support/world.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

const PAGES = PAGE_STATUSES.flatMap((status) =>
  [true, false].map((tracked) => ({ status, tracked, path: `/${status}-${tracked}` })),
);

it('is the same rule in TypeScript and in SQL, for every page', async () => {
  const { db } = database;
  const world = worldOn(db);
  const suite = await newSuite(world, await newViewer(world), []);
  await db('site_pages').insert(PAGES.map((page) => ({ ...page, test_suite_id: suite.id, owner_id: suite.userId })));
  const found = await db('site_pages').where({ test_suite_id: suite.id }).whereRaw(RUNNABLE_PAGE_SQL).pluck('path');
  expect(new Set(found)).toEqual(new Set(PAGES.filter(isRunnable).map(({ path }) => path)));
  expect(found).toHaveLength(2);
});

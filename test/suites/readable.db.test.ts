import { afterAll, expect, it } from '@jest/globals';
import { SUITE_ROLES, type ViewerAccess } from '../../src/access/role.ts';
import { readableSuiteIds, SHARED_SUITES_SQL } from '../../src/suites/readable-sql.ts';
import { findSuiteFor } from '../../src/suites/suite-for-viewer-store.ts';
import { createTestDatabase } from '../support/database.ts';
import { newSuite, newViewer, worldOn } from '../support/world.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

it('is the same rule in TypeScript and in SQL, for every way to come by a suite', async () => {
  const { db } = database;
  const world = worldOn(db);
  const [viewer, other] = [await newViewer(world), await newViewer(world)];
  const own = await newSuite(world, viewer, []);
  const shared = [];
  const grants = [
    ...SUITE_ROLES.map((role) => ({ principal_type: 'USER', principal_id: viewer.id, role })),
    { principal_type: 'TEAM', principal_id: viewer.id, role: 'ADMIN' },
    { principal_type: 'USER', principal_id: other.id, role: 'ADMIN' },
  ];
  for (const grant of grants) {
    const suite = await newSuite(world, other, []);
    await db('test_suite_grants').insert({ test_suite_id: suite.id, ...grant });
    shared.push(suite);
  }
  // A grant to the owner, as old data may contain.
  await db('test_suite_grants').insert({ test_suite_id: own.id, principal_id: viewer.id, role: 'VIEWER' });
  const access = new Map<string, ViewerAccess>();
  for (const { id } of [own, ...shared]) {
    const suite = await findSuiteFor(db, viewer.id, id);
    if (suite !== null) access.set(id, suite.access);
  }
  const readable = await readableSuiteIds(db, viewer.id);
  expect(new Set(readable.map(({ id }) => id))).toEqual(new Set(access.keys()));
  const { rows } = await db.raw(SHARED_SUITES_SQL, [viewer.id]);
  const expected = [...access].filter(([, { isOwner }]) => !isOwner).map(([id]) => id);
  expect(new Set(rows.map(({ id }: { id: string }) => id))).toEqual(new Set(expected));
  expect(access.size).toBe(1 + SUITE_ROLES.length);
});

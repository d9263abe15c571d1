import { afterAll, expect, it } from '@jest/globals';
import { approvableSql } from '../../../src/review/approval/approvable-sql.ts';
import { isApprovable } from '../../../src/review/approval/approvable.ts';
import { CAUSES, RESULT_STATUSES } from '../../../src/runs/results/result.ts';
import { RUN_TYPES } from '../../../src/runs/run.ts';
import { createTestDatabase } from '../../support/database.ts';
import { startRun } from '../../support/requests.ts';
import { newSuite, newViewer, worldOn } from '../../support/world.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

/** Every combination of fields that matters to an approval, each with its own path. */
const RESULTS = RESULT_STATUSES.flatMap((status) =>
  [true, false].flatMap((approved) =>
    [true, false].flatMap((isNew) =>
      ['a.png', null].flatMap((currentFile) =>
        [null, ...CAUSES].map((cause) => {
          const result = { status, approved, isNew, currentFile, cause };
          return { ...result, path: `/${JSON.stringify(result)}` };
        }),
      ),
    ),
  ),
);

it('is the same rule in TypeScript and in SQL, for every result of every type of run', async () => {
  const { db } = database;
  const world = worldOn(db);
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, ['/']);
  const { id } = await startRun(world.ctx, viewer, suite, {});
  await db('page_results').insert(
    RESULTS.map(({ path, status, cause, approved, isNew, currentFile }, index) => ({
      test_run_id: id,
      position: index + 2,
      url: path,
      path,
      viewport: 'desktop',
      status,
      cause,
      approved,
      is_new: isNew,
      current_file: currentFile,
    })),
  );
  for (const runType of RUN_TYPES) {
    const found = await db('page_results')
      .where({ test_run_id: id })
      .whereRaw(approvableSql({ runType }))
      .pluck('path');
    const expected = RESULTS.filter((result) => isApprovable({ runType }, result)).map(({ path }) => path);
    expect(new Set(found)).toEqual(new Set(expected));
    expect(expected).not.toEqual([]);
  }
});

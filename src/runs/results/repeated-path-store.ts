import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { decidableSql } from '../run-sql.ts';

/** How many earlier runs are searched. */
const RUNS = 20;

/** The paths that both this run and one of the earlier runs captured. */
export async function findRepeatedPaths(
  db: Db,
  run: { id: string; testSuiteId: string },
  paths: string[],
): Promise<string[]> {
  const captured = 'path = fresh.path and current_file is not null';
  const rows = await readRows(
    db,
    z.object({ path: z.string() }),
    `select path from unnest(cast(:paths as text[])) as fresh (path)
     where exists (select from page_results where test_run_id = :id and ${captured})
       and exists (
         select from page_results
         where test_run_id in (
           select id from test_runs
           where test_suite_id = :testSuiteId and id <> :id and ${decidableSql('status')}
           order by created_at desc, id desc limit ${RUNS}
         ) and ${captured}
       )`,
    { ...run, paths },
  );
  return rows.map(({ path }) => path);
}

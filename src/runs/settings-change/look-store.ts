import { z } from 'zod';
import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import type { Run } from '../run.ts';
import { LOOK_COLUMNS, type Look, type LookCounts, type Looks } from './settings-change.ts';

/**
 * Marks the results that must also be captured with the settings of the base, and adds those that are left out. @param
 * addressOf returns the address of a page by its path
 */
export async function insertLooks(
  db: Db,
  { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>,
  { again, leftOut }: Looks,
  addressOf: (path: string) => string,
): Promise<{ paths: string[]; added: number }> {
  await db.raw(
    `update page_results set base_state = 'DUE'
     from jsonb_to_recordset(?::jsonb) as due (path text, viewport text)
     where test_run_id = ? and page_results.path = due.path and page_results.viewport = due.viewport`,
    [JSON.stringify(again), id],
  );
  const { rows } = await db.raw(
    `insert into page_results (test_run_id, position, url, path, viewport, left_out)
     select :runId::uuid, coalesce((select max(position) from page_results where test_run_id = :runId), 0) + row_number() over (),
            wanted.url, site_pages.path, wanted.viewport, true
     from jsonb_to_recordset(:leftOut::jsonb) as wanted (path text, viewport text, url text)
     join site_pages on site_pages.test_suite_id = :suiteId and site_pages.path = wanted.path
     on conflict do nothing
     returning path`,
    {
      runId: id,
      suiteId: testSuiteId,
      leftOut: JSON.stringify(leftOut.map((page) => ({ ...page, url: addressOf(page.path) }))),
    },
  );
  const paths = z.array(z.object({ path: z.string() })).parse(rows);
  return { paths: [...new Set(paths.map(({ path }) => path))], added: paths.length };
}

/** There is no screenshot with the settings of the base. */
const MISSING_SQL = "(base_state is not distinct from 'FAILED' or (left_out and current_file is null))";

const looksOf = (db: Db, runId: string) =>
  db('page_results')
    .where({ test_run_id: runId })
    .whereRaw('(left_out or base_state is not null or base_status is not null)');

/** Results that fail with the settings of the base come first, then those that could not be captured with them. */
export async function findLooks(db: Db, runId: string, limit: number): Promise<Look[]> {
  return looksOf(db, runId)
    .orderByRaw(`(base_status = 'FAIL') desc nulls last, ${MISSING_SQL} desc, base_score desc nulls last, position`)
    .limit(limit)
    .select(LOOK_COLUMNS);
}

export async function countLooks(db: Db, runId: string): Promise<LookCounts> {
  const [row] = await looksOf(db, runId).select(
    computed(db, 'failing', 'bigint', "count(*) filter (where base_status = 'FAIL')"),
    computed(
      db,
      'passing',
      'bigint',
      `count(*) filter (where base_status is distinct from 'FAIL' and not ${MISSING_SQL})`,
    ),
    computed(db, 'missing', 'bigint', `count(*) filter (where ${MISSING_SQL})`),
  );
  return row ?? { failing: 0, passing: 0, missing: 0 };
}

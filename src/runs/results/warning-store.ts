import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { decidableSql } from '../run-sql.ts';

const Warned = z.object({ code: z.string(), pages: z.int(), timeout: z.number().nullable() });

/**
 * By the code of a warning: the pages that have it in the newest run of the suite's own site, and the highest
 * `settle.timeout` that one of them needs, ms. Null: unknown.
 */
export async function countWarnedPages(
  db: Db,
  testSuiteId: string,
): Promise<Map<string, { pages: number; timeout: number | null }>> {
  const rows = await readRows(
    db,
    Warned,
    `select warning ->> 'code' as code, count(distinct path)::int as pages,
            max((warning ->> 'timeout')::double precision) as timeout
     from page_results cross join jsonb_array_elements(warnings) as warning
     where warnings <> '[]' and test_run_id = (
       select id from test_runs
       where test_suite_id = :testSuiteId and run_type = 'MANUAL' and ${decidableSql('status')}
       order by created_at desc limit 1
     )
     group by warning ->> 'code'`,
    { testSuiteId },
  );
  return new Map(rows.map(({ code, ...counts }) => [code, counts]));
}

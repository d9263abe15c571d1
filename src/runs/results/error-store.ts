import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { FAILURE_CODES } from '../../net/failure-code.ts';
import { rankSection } from './review-section.ts';

const ErrorGroup = z.object({
  error: z.string(),
  code: z.enum(FAILURE_CODES).nullable(),
  results: z.number(),
  paths: z.array(z.string()),
  total: z.number(),
});
/** The results of a run with the same error. `total`: all results of the run with an error. */
export type ErrorGroup = z.output<typeof ErrorGroup>;

/** The most frequent errors of a run. */
export async function findErrors(db: Db, runId: string, limit: number): Promise<ErrorGroup[]> {
  return readRows(
    db,
    ErrorGroup,
    `select coalesce(error, 'Unknown reason') as error, error_code as code, count(*)::integer as results, array_agg(distinct path) as paths,
            (sum(count(*)) over ())::integer as total
     from page_results where test_run_id = :runId and review_rank = :rank
     group by 1, 2 order by results desc, error limit :limit`,
    { runId, rank: rankSection('error'), limit },
  );
}

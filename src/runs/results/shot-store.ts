import { z } from 'zod';
import { readRows, type Db } from '../../db/database.ts';
import { rankSection, RESULT_STATUSES } from './result.ts';

/** A screenshot that stands for a run in a list. */
const Shot = z.object({
  id: z.string(),
  testRunId: z.string(),
  status: z.enum(RESULT_STATUSES),
  currentFile: z.string().nullable(),
});
export type Shot = z.output<typeof Shot>;

/** The ranks of results that have a screenshot. */
const SHOWN = (['changed', 'new', 'uncounted', 'passed'] as const).map(rankSection);

/** Results without a screenshot are skipped, but no more of them than this: a run can have thousands. */
const LOOKED_AT = 24;

/**
 * What a review of each run shows first: at most `each` screenshots of every run. Ranks whose results have no
 * screenshot are left out, so that the index of the review's order can be used.
 */
export async function findRunShots(db: Db, runIds: string[], each: number): Promise<Shot[]> {
  return readRows(
    db,
    Shot,
    `select shot.* from unnest(:runIds::uuid[]) as run (id)
     cross join lateral (
       select found.id, found.test_run_id, found.status, found.current_file
       from unnest(array[${SHOWN.join(', ')}]) as rank
       cross join lateral (
         select id, test_run_id, status, current_file, review_rank, review_weight, position from page_results
         where test_run_id = run.id and review_rank = rank
         order by review_weight, position limit ${LOOKED_AT}
       ) as found
       where found.current_file is not null
       order by found.review_rank, found.review_weight, found.position limit :each
     ) as shot`,
    { runIds, each },
  );
}

const Cover = z.object({ testSuiteId: z.string(), filePath: z.string() });

/** The current baseline of each suite's first page, which is usually its home page. */
export async function findCovers(db: Db, suiteIds: string[]): Promise<z.output<typeof Cover>[]> {
  return readRows(
    db,
    Cover,
    `select cover.* from unnest(?::uuid[]) as suite (id)
     cross join lateral (
       select test_suite_id, file_path from baselines where test_suite_id = suite.id order by path, viewport limit 1
     ) as cover`,
    [suiteIds],
  );
}

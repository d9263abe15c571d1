import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import type { RuleMatches } from '../unmatched-selectors.ts';

const Matches = z.object({ path: z.string(), viewport: z.string(), unmatchedSelectors: z.array(z.string()) });

/** What the captured results of a run say about the selectors of its rules. */
export async function findRuleMatches(db: Db, runId: string): Promise<RuleMatches[]> {
  return readRows(
    db,
    Matches,
    `select path, viewport, unmatched_selectors from page_results
     where test_run_id = :runId and unmatched_selectors is not null order by position`,
    { runId },
  );
}

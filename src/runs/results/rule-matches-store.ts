import { z } from 'zod';
import { readRows, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { DECIDABLE } from '../run.ts';
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

/** Stores which selectors of its rules matched nothing, when a run ends. */
export async function setUnmatchedSelectors(db: Db, id: string, selectors: string[]): Promise<void> {
  await db('test_runs')
    .where({ id })
    .update({ unmatched_selectors: json(selectors) });
}

/** Selectors of rules that matched nothing on any page of the suite's newest finished run. */
export async function readUnmatchedSelectors(db: Db, suite: SuiteFor): Promise<string[]> {
  const row = await db('test_runs')
    .where({ test_suite_id: suite.id })
    .whereIn('status', DECIDABLE)
    .whereNotNull('unmatched_selectors')
    .orderBy('created_at', 'desc')
    .first('unmatched_selectors');
  return row?.unmatchedSelectors ?? [];
}

import { z } from 'zod';
import { findPromotedResults } from '../baselines/version-store.ts';
import { readValues, type Db } from '../db/database.ts';
import type { RunFor } from '../runs/read-run.ts';
import type { PageResult } from '../runs/results/result.ts';
import { isInBase } from '../runs/run.ts';

/**
 * Approved results of a merged pull request's run that came too late: a pull request that was merged later, or a person
 * since the merge and the approval, has made another screenshot than the one they were compared with the baseline.
 */
export async function findOvertaken(db: Db, runId: string): Promise<Set<string>> {
  const ids = await readValues(
    db,
    z.uuid(),
    `select result.id
     from test_runs as run
     join pull_requests as pull on pull.owner = run.git_owner and pull.repo = run.git_repo
       and pull.number = run.git_pr_number
     join page_results as result on result.test_run_id = run.id and result.approved
     join baselines on baselines.test_suite_id = run.test_suite_id and baselines.path = result.path
       and baselines.viewport = result.viewport
     join baseline_versions as version on version.id = baselines.current_version_id and version.source <> 'INITIAL'
     left join pull_requests as other on other.owner = run.git_owner and other.repo = run.git_repo
       and other.number = version.pr_number
     where run.id = ? and version.file_path is distinct from result.baseline_file
       and coalesce(other.merged_at, version.approved_at) > pull.merged_at
       and coalesce(other.merged_at, version.approved_at) > result.approved_at`,
    [runId],
  );
  return new Set(ids);
}

/** Whether the result is approved, and its merge came too late to make it the baseline. */
export async function readIsOvertaken(
  db: Db,
  run: RunFor,
  { id, approved }: Pick<PageResult, 'id' | 'approved'>,
): Promise<boolean> {
  if (!approved || !isInBase(run)) return false;
  return (await findOvertaken(db, run.id)).has(id) && !(await findPromotedResults(db, [id])).has(id);
}

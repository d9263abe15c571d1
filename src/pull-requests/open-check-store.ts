import type { Db } from '../db/database.ts';

/** A check at the code host that stands for a run, and asks for something or is not over there. */
export type OpenCheck = {
  runId: string;
  owner: string;
  repo: string;
  installationId: number;
  headSha: string;
  name: string;
  /** Null: it was never made, or the answer to the request that made it was lost. */
  checkRunId: number | null;
};

/**
 * Checks of the suite's runs that nobody will end once the runs are gone: those that are not completed, and those that
 * wait for a review at the head of an open pull request.
 */
export async function findOpenChecks(db: Db, suiteId: string): Promise<OpenCheck[]> {
  const { rows } = await db.raw<{ rows: OpenCheck[] }>(
    `select runs.id as run_id, runs.git_owner as owner, runs.git_repo as repo, runs.git_head_sha as head_sha,
            runs.check_name as name, runs.git_check_run_id as check_run_id,
            case
              when lower(suites.codehost_owner) = runs.git_owner and lower(suites.codehost_repo) = runs.git_repo
              then suites.codehost_installation_id
              else runs.git_installation_id
            end as installation_id
     from test_runs as runs join test_suites as suites on suites.id = runs.test_suite_id
     where suites.id = ? and runs.run_type = 'PR'
       and coalesce(runs.check_shown ->> 'state', 'creating') <> 'gone'
       and (
         coalesce(runs.check_shown ->> 'status', 'queued') <> 'completed'
         or (runs.check_shown ->> 'conclusion' = 'action_required' and exists (
           select from pull_requests as pulls
           where pulls.owner = runs.git_owner and pulls.repo = runs.git_repo and pulls.number = runs.git_pr_number
             and pulls.head_sha = runs.git_head_sha and pulls.state = 'OPEN'
         ))
       )`,
    [suiteId],
  );
  return rows;
}

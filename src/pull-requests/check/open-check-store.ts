import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import { hasAll } from '../../db/not-null.ts';
import { INSTALLATION_ID_SQL } from '../../runs/run-sql.ts';

/** A run's check at the code host that is not completed, or still asks for an action. */
type OpenCheck = {
  runId: string;
  owner: string;
  repo: string;
  installationId: number;
  headSha: string;
  name: string;
  /** Null: it was never created, or the answer to the request that created it was lost. */
  checkRunId: number | null;
};

/**
 * Checks that would stay open for ever once the suite's runs are deleted: those that are not completed, and those that
 * wait for a review at the head of an open pull request.
 */
export async function findOpenChecks(db: Db, suiteId: string): Promise<OpenCheck[]> {
  const rows = await db('test_runs')
    .join('test_suites', 'test_suites.id', 'test_runs.test_suite_id')
    .where({ 'test_suites.id': suiteId, 'test_runs.run_type': 'PR' })
    .whereRaw(
      `coalesce(test_runs.check_shown ->> 'state', 'creating') <> 'gone'
       and (
         coalesce(test_runs.check_shown ->> 'status', 'queued') <> 'completed'
         or (test_runs.check_shown ->> 'conclusion' = 'action_required' and exists (
           select from pull_requests as pulls
           where pulls.owner = test_runs.git_owner and pulls.repo = test_runs.git_repo and pulls.number = test_runs.git_pr_number
             and pulls.head_sha = test_runs.git_head_sha and pulls.state = 'OPEN'
         ))
       )`,
    )
    .select(
      'test_runs.id as run_id',
      'git_owner as owner',
      'git_repo as repo',
      'git_head_sha as head_sha',
      'check_name as name',
      'git_check_run_id as check_run_id',
      computed(db, 'installation_id', 'bigint or null', INSTALLATION_ID_SQL),
    );
  return rows.filter((row) => hasAll(row, 'owner', 'repo', 'headSha', 'name', 'installationId'));
}

import type { Db } from '../db/database.ts';
import type { Run } from './run.ts';
import { isInFlight } from './run.ts';

/** The pull request of a run, as the code host told of it. */
function pullRequestOf(db: Db, runId: string) {
  return db('pull_requests')
    .join('test_runs', (join) =>
      join
        .on('test_runs.git_owner', 'pull_requests.owner')
        .andOn('test_runs.git_repo', 'pull_requests.repo')
        .andOn('test_runs.git_pr_number', 'pull_requests.number'),
    )
    .where({ 'test_runs.id': runId, 'test_runs.run_type': 'PR' });
}

/** Of the run's pull request, which nobody changes until the transaction ends; null when it has none. */
export async function lockMergeState(trx: Db, runId: string): Promise<string | null> {
  const pull = await pullRequestOf(trx, runId)
    .forShare('pull_requests')
    .first<{ state: string } | undefined>('pull_requests.state');
  return pull?.state ?? null;
}

/** Results that a person, or a merge, has made a baseline version of. */
export async function findPromotedResultIds(db: Db, runId: string): Promise<Set<string>> {
  const rows = await db('baseline_versions')
    .join('page_results', 'page_results.id', 'baseline_versions.page_result_id')
    .where({ 'page_results.test_run_id': runId })
    .whereNot({ 'baseline_versions.source': 'INITIAL' })
    .select<{ id: string }[]>('page_results.id');
  return new Set(rows.map((row) => row.id));
}

/** Approvals of the run that can still be taken back: only those of a pull request that is not merged become nothing yet. */
export async function countUndoable(db: Db, run: Pick<Run, 'id' | 'runType' | 'status'>): Promise<number> {
  if (run.runType !== 'PR' || isInFlight(run.status) || run.status === 'CANCELLED') return 0;
  const row = await db('page_results')
    .where({ test_run_id: run.id, approved: true })
    .whereNotExists(pullRequestOf(db, run.id).where({ state: 'MERGED' }))
    .whereNotExists(
      db('baseline_versions')
        .whereRaw('baseline_versions.page_result_id = page_results.id')
        .whereNot({ source: 'INITIAL' }),
    )
    .count({ count: '*' })
    .first<{ count: number } | undefined>();
  return row?.count ?? 0;
}

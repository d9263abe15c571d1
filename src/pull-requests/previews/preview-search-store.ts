import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { RepositoryKey } from '../../suites/repository-key.ts';
import type { PreviewSearch } from './preview-search.ts';

/** The numbers of the pull requests that had runs at these heads, by head. */
export async function findPullRequestsOfHeads(
  db: Db,
  { owner, repo }: RepositoryKey,
  heads: string[],
): Promise<Map<string, number[]>> {
  const rows = await db('test_runs')
    .where({ run_type: 'PR', git_owner: owner, git_repo: repo })
    .whereIn('git_head_sha', heads)
    .distinctOn('git_head_sha', 'git_pr_number')
    .select('git_head_sha', 'git_pr_number');
  const numbers = new Map<string, number[]>();
  for (const { gitHeadSha, gitPrNumber } of rows) {
    if (gitHeadSha === null || gitPrNumber === null) continue;
    numbers.set(gitHeadSha, [...(numbers.get(gitHeadSha) ?? []), gitPrNumber]);
  }
  return numbers;
}

/** False when the run has a preview or has ended. */
export async function setPreviewSearch(db: Db, id: string, search: PreviewSearch): Promise<boolean> {
  const set = await db('test_runs')
    .where({ id, run_type: 'PR', status: 'PENDING', git_enqueued: false })
    .update({ git_preview_search: json(search), updated_at: db.fn.now() });
  return set === 1;
}

/** Null if there was no search for the run's preview, or if it is not a run of a pull request. */
export async function findPreviewSearch(db: Db, runId: string): Promise<PreviewSearch | null> {
  const row = await db('test_runs').where({ id: runId, run_type: 'PR' }).first('git_preview_search');
  return row?.gitPreviewSearch ?? null;
}

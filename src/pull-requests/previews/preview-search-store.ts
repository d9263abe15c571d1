import { z } from 'zod';
import { readRows, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { RepositoryKey } from '../../suites/suite.ts';
import type { FoundPreview } from '../pull-request-run.ts';
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

/**
 * The outcome of the search for the preview of a pull request's run. Null for other runs, and before the first search.
 */
export async function readPreviewSearch(db: Db, { id }: RunFor): Promise<PreviewSearch | null> {
  const row = await db('test_runs').where({ id, run_type: 'PR' }).first('git_preview_search');
  return row?.gitPreviewSearch ?? null;
}

/**
 * Heads of the repository's open pull requests that have a newer run than `since` which waits for a preview, or waited
 * without finding one. Newest first.
 */
export async function findHeadsWithoutPreview(
  db: Db,
  { owner, repo }: RepositoryKey,
  after: Date,
  most: number,
): Promise<{ number: number; headSha: string }[]> {
  return readRows(
    db,
    z.object({ number: z.number(), headSha: z.string() }),
    `select pulls.number, pulls.head_sha
     from pull_requests as pulls
     where pulls.owner = :owner and pulls.repo = :repo and pulls.state = 'OPEN' and exists (
       select from test_runs as runs
       where runs.git_head_sha = pulls.head_sha and runs.run_type = 'PR' and runs.git_owner = pulls.owner
         and runs.git_repo = pulls.repo and runs.git_pr_number = pulls.number and runs.created_at > :after
         and ((runs.status = 'PENDING' and not runs.git_enqueued) or runs.metadata ->> 'reason' = 'preview_timeout')
     )
     order by pulls.number desc
     limit :most`,
    { owner, repo, after, most },
  );
}

/** Stores the address to capture. False when the run already has one or has ended, so a second report has no effect. */
export async function setPreview(
  db: Db,
  id: string,
  { address, reported = address, buildId, config, own = null }: FoundPreview,
  at: Date,
): Promise<boolean> {
  const set = await db('test_runs')
    .where({ id, run_type: 'PR', status: 'PENDING', git_enqueued: false })
    .update({
      git_enqueued: true,
      git_preview_url: buildId === null ? reported : null,
      target_base_url: address,
      build_id: buildId,
      ...(own === null || own.change === null ? {} : { git_config_change: json(own.change) }),
      ...(config === undefined ? {} : { config: json(config) }),
      started_at: at,
      updated_at: db.fn.now(),
    });
  return set === 1;
}

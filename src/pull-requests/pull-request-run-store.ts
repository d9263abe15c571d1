import { z } from 'zod';
import { readRows, readValues, type Db } from '../db/database.ts';
import { IS_OUTDATED_SQL } from '../runs/results/result-sql.ts';
import { IS_STILL_LINKED_SQL } from '../runs/run-sql.ts';
import { IN_FLIGHT, type PullRequestKey } from '../runs/run.ts';
import type { RepositoryKey } from '../suites/suite.ts';
import { PULL_REQUEST_RUN_COLUMNS, toPullRequestRun, type CommitKey, type PullRequestRun } from './pull-request-run.ts';

const ofPullRequest = ({ owner, repo, number }: PullRequestKey) => ({
  run_type: 'PR' as const,
  git_owner: owner,
  git_repo: repo,
  git_pr_number: number,
});

export async function findPullRequestRun(db: Db, id: string): Promise<PullRequestRun | null> {
  const row = await db('test_runs').where({ id, run_type: 'PR' }).first(PULL_REQUEST_RUN_COLUMNS);
  return row === null ? null : toPullRequestRun(row);
}

/** The suite's last attempt at a head. */
export async function findNewestAttempt(
  db: Db,
  suiteId: string,
  head: PullRequestKey & { headSha: string },
): Promise<PullRequestRun | null> {
  const row = await db('test_runs')
    .where({ ...ofPullRequest(head), test_suite_id: suiteId, git_head_sha: head.headSha })
    .orderBy('git_attempt', 'desc')
    .first(PULL_REQUEST_RUN_COLUMNS);
  return row === null ? null : toPullRequestRun(row);
}

/** The last attempt of every suite at a head. */
export async function findNewestAttempts(
  db: Db,
  head: PullRequestKey & { headSha: string },
): Promise<PullRequestRun[]> {
  const rows = await db('test_runs')
    .distinctOn('test_suite_id')
    .where({ ...ofPullRequest(head), git_head_sha: head.headSha })
    .orderBy([{ column: 'test_suite_id' }, { column: 'git_attempt', order: 'desc' }])
    .select(PULL_REQUEST_RUN_COLUMNS);
  return rows.map(toPullRequestRun);
}

const AtCommit = z.object({ id: z.uuid(), number: z.number(), isCurrent: z.boolean() });

/** More pull requests hardly have one head, as each needs another base. */
const MOST_AT_COMMIT = 100;

/**
 * The last attempts at a commit, of one suite or of all, one for each pull request. `isCurrent`: it is open, and this is
 * its head.
 */
export async function findAttemptsAtCommit(
  db: Db,
  { owner, repo, headSha }: CommitKey,
  suiteId: string | null,
): Promise<z.infer<typeof AtCommit>[]> {
  return readRows(
    db,
    AtCommit,
    `select distinct on (runs.test_suite_id, runs.git_pr_number) runs.id, runs.git_pr_number as number,
            coalesce(pulls.state = 'OPEN' and pulls.head_sha = runs.git_head_sha, true) as is_current
     from test_runs as runs
     left join pull_requests as pulls on pulls.owner = runs.git_owner and pulls.repo = runs.git_repo
       and pulls.number = runs.git_pr_number
     where runs.run_type = 'PR' and runs.git_head_sha = :headSha and runs.git_owner = :owner and runs.git_repo = :repo
       and (:suiteId::uuid is null or runs.test_suite_id = :suiteId)
     order by runs.test_suite_id, runs.git_pr_number, runs.git_attempt desc limit ${MOST_AT_COMMIT}`,
    { owner, repo, headSha, suiteId },
  );
}

export async function findInFlight(db: Db, key: PullRequestKey): Promise<PullRequestRun[]> {
  const rows = await db('test_runs')
    .where(ofPullRequest(key))
    .whereIn('status', IN_FLIGHT)
    .orderBy('id')
    .select(PULL_REQUEST_RUN_COLUMNS);
  return rows.map(toPullRequestRun);
}

/** The last attempts at the heads of the suite's open pull requests. */
const NEWEST_OF_OPEN = `
  select distinct on (runs.git_owner, runs.git_repo, runs.git_pr_number) runs.id, runs.status, runs.created_at
  from pull_requests as pulls
  join test_runs as runs on runs.git_owner = pulls.owner and runs.git_repo = pulls.repo
    and runs.git_pr_number = pulls.number and runs.git_head_sha = pulls.head_sha
  where pulls.state = 'OPEN' and runs.run_type = 'PR' and runs.test_suite_id = :suiteId
  order by runs.git_owner, runs.git_repo, runs.git_pr_number, runs.git_attempt desc`;

/**
 * Of the suite's open pull requests: the finished last attempts at their heads with results that were not compared with
 * the current baselines, newest first.
 */
export async function findOutdatedOfOpen(db: Db, suiteId: string, limit: number): Promise<string[]> {
  return readValues(
    db,
    z.string(),
    `select newest.id from (${NEWEST_OF_OPEN}) as newest
     where newest.status = 'COMPLETED' and exists (
       select from page_results
       join baselines on baselines.test_suite_id = :suiteId and baselines.path = page_results.path
         and baselines.viewport = page_results.viewport
       where page_results.test_run_id = newest.id and ${IS_OUTDATED_SQL}
     )
     order by newest.created_at desc
     limit :limit`,
    { suiteId, limit },
  );
}

/** Of the suite's open pull requests: the last attempts at their heads of which no change of settings is known. */
export async function findOpenWithoutChange(db: Db, suiteId: string, limit: number): Promise<string[]> {
  return readValues(
    db,
    z.string(),
    `select newest.id from (${NEWEST_OF_OPEN}) as newest
     where newest.status <> 'CANCELLED'
       and not exists (select from settings_changes where settings_changes.test_run_id = newest.id)
     order by newest.created_at desc limit :limit`,
    { suiteId, limit },
  );
}

/**
 * The runs of the suite that are not merged, whose pull requests change its settings: those at the heads of open ones
 * first, then the newest.
 */
export async function findRunsWithChange(db: Db, suiteId: string, limit: number): Promise<string[]> {
  return readValues(
    db,
    z.string(),
    `select runs.id from settings_changes
     join test_runs as runs on runs.id = settings_changes.test_run_id
     left join pull_requests as pulls on pulls.owner = runs.git_owner and pulls.repo = runs.git_repo
       and pulls.number = runs.git_pr_number and pulls.head_sha = runs.git_head_sha
     where runs.test_suite_id = :suiteId and not runs.git_merged and runs.status <> 'CANCELLED'
     order by coalesce(pulls.state = 'OPEN', false) desc, runs.created_at desc limit :limit`,
    { suiteId, limit },
  );
}

/** Runs in flight whose suite is inactive, or no longer linked to their repository. */
export async function findUnlinked(db: Db, suiteId: string): Promise<{ id: string; isActive: boolean }[]> {
  return db('test_runs')
    .join('test_suites', 'test_suites.id', 'test_runs.test_suite_id')
    .where({ 'test_runs.test_suite_id': suiteId, 'test_runs.run_type': 'PR' })
    .whereIn('test_runs.status', IN_FLIGHT)
    .whereRaw(`(not test_suites.is_active or ${IS_STILL_LINKED_SQL} is not true)`)
    .orderBy('test_runs.id')
    .select('test_runs.id', 'test_suites.is_active');
}

/** Runs that have no preview yet. */
export async function findWaiting(db: Db, { owner, repo, headSha }: CommitKey): Promise<PullRequestRun[]> {
  const head = { git_owner: owner, git_repo: repo, git_head_sha: headSha };
  const rows = await db('test_runs')
    .where({ run_type: 'PR', status: 'PENDING', git_enqueued: false, ...head })
    .orderBy('id')
    .select(PULL_REQUEST_RUN_COLUMNS);
  return rows.map(toPullRequestRun);
}

export async function hasRunAtHead(db: Db, key: PullRequestKey, headSha: string): Promise<boolean> {
  const row = await db('test_runs')
    .where({ ...ofPullRequest(key), git_head_sha: headSha })
    .first('id');
  return row !== null;
}

/** The ids of the suites that have a run of the pull request, of whatever head. */
export async function findSuitesWithRuns(db: Db, key: PullRequestKey): Promise<string[]> {
  return db('test_runs').where(ofPullRequest(key)).groupBy('test_suite_id').pluck('test_suite_id');
}

const MAX_HEADS = 20;

/** The heads of the pull request that have runs, newest first. */
export async function findHeads(db: Db, key: PullRequestKey): Promise<string[]> {
  const rows = await db('test_runs')
    .where(ofPullRequest(key))
    .whereNotNull('git_head_sha')
    .groupBy('git_head_sha')
    .orderByRaw('max(created_at) desc')
    .limit(MAX_HEADS)
    .select('git_head_sha');
  return rows.flatMap(({ gitHeadSha }) => gitHeadSha ?? []);
}

/** Whether the MANUAL run after a merge has been started. */
export async function hasRunAfterMerge(
  db: Db,
  suiteId: string,
  merge: { number: number; sha: string },
): Promise<boolean> {
  const row = await db('test_runs')
    .where({ test_suite_id: suiteId, run_type: 'MANUAL', git_pr_number: merge.number, git_head_sha: merge.sha })
    .first('id');
  return row !== null;
}

/** Stores what the run's pull request is based on, and whether the run gates its merge. */
export async function setBase(
  db: Db,
  id: string,
  { baseBranch, basePullRequest, isGated }: Pick<PullRequestRun, 'baseBranch' | 'basePullRequest' | 'isGated'>,
): Promise<void> {
  await db('test_runs').where({ id }).update({
    git_base_branch: baseBranch,
    git_base_number: basePullRequest,
    git_gated: isGated,
    updated_at: db.fn.now(),
  });
}

/** Who locks several runs does so by ID, so that no two wait for each other. */
const lockedById = (
  db: Db,
  of: { git_owner: string; git_repo: string } & Partial<ReturnType<typeof ofPullRequest> & { git_merged: boolean }>,
) => db('test_runs').where(of).orderBy('id').forNoKeyUpdate().select('id');

/** Marks all runs of the pull request as merged, for later requests such as an approval. */
export async function setMerged(db: Db, key: PullRequestKey): Promise<void> {
  await db('test_runs')
    .whereIn('id', lockedById(db, { ...ofPullRequest(key), git_merged: false }))
    .update({ git_merged: true });
}

/** Tells runs of the pull request's head from those of others, for questions that only one run can answer. */
export async function setHead(db: Db, { headSha, ...key }: PullRequestKey & { headSha: string }): Promise<void> {
  await db('test_runs')
    .whereIn('id', lockedById(db, ofPullRequest(key)))
    .update({ git_outdated: db.raw('git_head_sha <> ?', [headSha]) });
}

export async function setTitle(db: Db, { title, ...key }: PullRequestKey & { title: string | null }): Promise<void> {
  await db('test_runs')
    .whereIn('id', lockedById(db, ofPullRequest(key)))
    .update({ git_title: title });
}

/** Names are in lower case, as stored. */
export async function renameRepositoryOfRuns(db: Db, from: RepositoryKey, to: RepositoryKey): Promise<void> {
  await db('test_runs')
    .whereIn('id', lockedById(db, { git_owner: from.owner, git_repo: from.repo }))
    .update({ git_owner: to.owner, git_repo: to.repo });
}

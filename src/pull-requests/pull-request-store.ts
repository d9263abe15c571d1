import { z } from 'zod';
import { findPromotedResults } from '../baselines/version-store.ts';
import { toColumns } from '../db/camel-case.ts';
import { lockByName, readValues, type Db } from '../db/database.ts';
import { json } from '../db/json.ts';
import type { RunFor } from '../runs/read-run.ts';
import type { PageResult } from '../runs/results/result.ts';
import { isInBase, type PullRequestKey } from '../runs/run.ts';
import type { RepositoryKey } from '../suites/suite.ts';
import type { CommitKey } from './pull-request-run.ts';
import {
  PULL_REQUEST_COLUMNS,
  type CommentShown,
  type MergeGroup,
  type PullRequest,
  type SummaryShown,
} from './pull-request.ts';

const toKey = ({ owner, repo, number }: PullRequestKey) => ({ owner, repo, number });

/**
 * Locks the repository's pull requests against other events until the transaction ends: two concurrent ones would not see
 * each other's changes to a stack, or to the name of the repository.
 */
export async function lockPullRequests(db: Db, { owner, repo }: RepositoryKey): Promise<void> {
  await lockByName(db, 'pull requests', `${owner}/${repo}`.toLowerCase());
}

/** False when the pull request is already stored. */
export async function insertPullRequest(db: Db, pullRequest: PullRequest): Promise<boolean> {
  const ids = await db('pull_requests')
    .insert(toColumns(pullRequest))
    .onConflict(['owner', 'repo', 'number'])
    .ignore()
    .returning('id');
  return ids.length === 1;
}

/** Locked until the transaction ends, so that events of one pull request are handled one at a time. */
export async function lockPullRequest(db: Db, key: PullRequestKey): Promise<PullRequest | null> {
  return db('pull_requests').where(toKey(key)).forUpdate().first(PULL_REQUEST_COLUMNS);
}

export async function changePullRequest(db: Db, pullRequest: PullRequest): Promise<void> {
  await db('pull_requests')
    .where(toKey(pullRequest))
    .update({ ...toColumns(pullRequest), updated_at: db.fn.now() });
}

export async function findPullRequest(db: Db, key: PullRequestKey): Promise<PullRequest | null> {
  return db('pull_requests').where(toKey(key)).first(PULL_REQUEST_COLUMNS);
}

/** All stored pull requests of the repository, locked until the transaction ends. Names are in lower case. */
export async function findPullRequests(db: Db, { owner, repo }: RepositoryKey): Promise<PullRequest[]> {
  return db('pull_requests').where({ owner, repo }).forUpdate().orderBy('number').select(PULL_REQUEST_COLUMNS);
}

/** Newest first; more than 1,000 are not followed. */
export async function findOpenNumbers(db: Db, { owner, repo }: RepositoryKey): Promise<number[]> {
  return db('pull_requests')
    .where({ owner, repo, state: 'OPEN' })
    .orderBy('number', 'desc')
    .limit(1000)
    .pluck('number');
}

/** Locked until the transaction ends, so that none of them closes in the meantime. */
export async function findOpenPullRequestsAt(db: Db, { owner, repo, headSha }: CommitKey): Promise<PullRequest[]> {
  return db('pull_requests')
    .where({ owner, repo, head_sha: headSha, state: 'OPEN' })
    .forUpdate()
    .orderBy('number')
    .select(PULL_REQUEST_COLUMNS);
}

/** Bases the repository's open pull requests into a branch on another one. */
export async function moveBase(db: Db, { owner, repo }: RepositoryKey, from: string, to: string): Promise<void> {
  await db('pull_requests')
    .where({ owner, repo, base_branch: from, state: 'OPEN' })
    .update({ base_branch: to, updated_at: db.fn.now() });
}

/** Rows that arrived under the new name before the rename are newer, so they replace those under the old name. */
export async function renameRepositoryOfPullRequests(db: Db, from: RepositoryKey, to: RepositoryKey): Promise<void> {
  await db('pull_requests')
    .where(from)
    .whereExists(
      db('pull_requests as newer').where({
        'newer.owner': to.owner,
        'newer.repo': to.repo,
        'newer.number': db.ref('pull_requests.number'),
      }),
    )
    .delete();
  await db('pull_requests')
    .where(from)
    .update({ ...to, updated_at: db.fn.now() });
}

/** Names of the account's repositories that have a linked suite or stored pull requests of this installation. */
export async function findRepositoryNames(db: Db, installationId: number, owner: string): Promise<string[]> {
  const names = await readValues(
    db,
    z.string(),
    `select codehost_repo as repo from test_suites
       where lower(codehost_owner) = :owner and codehost_installation_id = :installationId
     union select repo from pull_requests where owner = :owner and installation_id = :installationId
     order by repo`,
    { owner: owner.toLowerCase(), installationId },
  );
  return [...new Map(names.map((repo) => [repo.toLowerCase(), repo])).values()];
}

/** What the code host shows of it besides the checks of suites. */
export async function findTold(
  db: Db,
  key: PullRequestKey,
): Promise<{ comment: CommentShown | null; summary: SummaryShown | null }> {
  const row = await db('pull_requests').where(toKey(key)).first('comment_shown as comment', 'summary_shown as summary');
  return row ?? { comment: null, summary: null };
}

/** Stores what the code host shows now. */
export async function keepTold(
  db: Db,
  key: PullRequestKey,
  { comment, summary }: { comment?: CommentShown; summary?: SummaryShown },
): Promise<void> {
  await db('pull_requests')
    .where(toKey(key))
    .update({ comment_shown: comment && json(comment), summary_shown: summary && json(summary) });
}

/** Stores the group with the last pull request in it. The others may also be in groups before it. */
export async function keepMergeGroup(
  db: Db,
  { owner, repo, ...group }: RepositoryKey & MergeGroup,
  last: number,
): Promise<void> {
  await db('pull_requests')
    .where({ owner, repo, number: last })
    .update({ merge_group: json(group) });
}

export async function dropMergeGroup(db: Db, { owner, repo, headSha }: CommitKey): Promise<void> {
  await db('pull_requests')
    .where({ owner, repo })
    .whereRaw("merge_group ->> 'headSha' = ?", [headSha])
    .update({ merge_group: null });
}

/** The merge groups that contain a pull request, and the installation that sees them. */
export async function findMergeGroups(
  db: Db,
  { owner, repo, number }: PullRequestKey,
): Promise<(Omit<MergeGroup, 'numbers'> & { installationId: number })[]> {
  const rows = await db('pull_requests')
    .where({ owner, repo, state: 'OPEN' })
    .whereRaw("merge_group -> 'numbers' @> to_jsonb(?::integer)", [number])
    .select('merge_group', 'installation_id');
  return rows.flatMap(({ mergeGroup: group, installationId }) =>
    group === null ? [] : [{ headSha: group.headSha, headRef: group.headRef, installationId }],
  );
}

/** Null until a webhook has named it. Names are in lower case. */
export async function findDefaultBranch(db: Db, { owner, repo }: RepositoryKey): Promise<string | null> {
  const row = await db('repositories').where({ owner, repo }).first('default_branch');
  return row?.defaultBranch ?? null;
}

/** False if it was known already, or if a newer message named another branch. */
export async function saveDefaultBranch(
  db: Db,
  { owner, repo }: RepositoryKey,
  { defaultBranch, toldAt }: { defaultBranch: string; toldAt: Date },
): Promise<boolean> {
  const saved = await db('repositories')
    .insert({ owner, repo, default_branch: defaultBranch, told_at: toldAt })
    .onConflict(['owner', 'repo'])
    .merge(['default_branch', 'told_at', 'updated_at'])
    .whereRaw('repositories.default_branch <> excluded.default_branch and repositories.told_at <= excluded.told_at')
    .returning('id');
  return saved.length === 1;
}

/** The row under the new name is newer. */
export async function renameRepositoryOfDefaultBranch(db: Db, from: RepositoryKey, to: RepositoryKey): Promise<void> {
  const newer = await db('repositories').where({ owner: to.owner, repo: to.repo }).first('id');
  if (newer !== null) await db('repositories').where({ owner: from.owner, repo: from.repo }).delete();
  else
    await db('repositories').where({ owner: from.owner, repo: from.repo }).update({ owner: to.owner, repo: to.repo });
}

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

import { z } from 'zod';
import type { MergeBase } from '../../context.ts';
import { computed, notNull, readValues, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { PageRule } from '../../suites/config/page-rule.ts';
import { CHANGED_SQL, IS_OUTDATED_SQL, RESULT_COLUMNS } from '../results/result-sql.ts';
import type { PageResult } from '../results/result.ts';
import { HEAD_FIRST_SQL, INSTALLATION_ID_SQL } from '../run-sql.ts';
import { DECIDABLE, IN_FLIGHT, inFlightSql, type Run } from '../run.ts';

/** The run of each pull request of a suite: of its head, or else the newest. Merged and cancelled ones are left out. */
const NEWEST_OF_PULL_REQUESTS = `
  select distinct on (git_owner, git_repo, git_pr_number) id from test_runs
  where test_suite_id = :suiteId and run_type = 'PR' and not git_merged and status <> 'CANCELLED'
  order by git_owner, git_repo, git_pr_number, ${HEAD_FIRST_SQL}`;

/** Those first, then the newest. */
const PULL_REQUESTS_FIRST = `(id in (${NEWEST_OF_PULL_REQUESTS})) desc, created_at desc`;

/**
 * Runs that are in flight, wait for a reviewer, or in which something was ignored, whatever came of the rest. Merged
 * ones are left out.
 */
export async function findRunsToJudge(db: Db, suiteId: string, limit: number): Promise<string[]> {
  return db('test_runs')
    .where({ test_suite_id: suiteId, git_merged: false })
    .whereIn('status', [...IN_FLIGHT, 'COMPLETED'])
    .whereRaw(
      `(${inFlightSql('test_runs.status')} or test_runs.review_state = 'PENDING' or exists (
         select from page_results where page_results.test_run_id = test_runs.id and (page_results.cause = 'IGNORED'
           or (not page_results.approved and page_results.diff_score > 0 and page_results.ignored_boxes <> '[]'))
       ))`,
    )
    .orderByRaw(PULL_REQUESTS_FIRST, { suiteId })
    .limit(limit)
    .pluck('id');
}

/** Unmerged runs with differences that are drift if preview and site are different servers. */
export async function findDoubtedRuns(db: Db, suiteId: string, limit: number): Promise<string[]> {
  return db('test_runs')
    .where({ test_suite_id: suiteId, git_merged: false })
    .whereNot({ status: 'CANCELLED' })
    .whereRaw(
      `exists (select from page_results where page_results.test_run_id = test_runs.id
         and (page_results.servers = 'MAYBE_ONE' or page_results.cause = 'DRIFT'))`,
    )
    .orderByRaw(PULL_REQUESTS_FIRST, { suiteId })
    .limit(limit)
    .pluck('id');
}

const SAME_MAX = 100;

/**
 * The last runs of other open pull requests of the suite in which a difference that nobody has approved shows the same
 * screenshot as one of the results.
 * @param resultIds null: what changed in the run or is new
 */
export async function findRunsWithSame(
  db: Db,
  run: Pick<Run, 'id' | 'testSuiteId'>,
  resultIds: string[] | null,
): Promise<string[]> {
  return readValues(
    db,
    z.uuid(),
    `with newest as (${NEWEST_OF_PULL_REQUESTS})
     select distinct same.test_run_id
     from page_results
     join page_results as same on same.path = page_results.path and same.viewport = page_results.viewport
       and same.current_file = page_results.current_file and same.status = 'FAIL' and not same.approved
     join newest on newest.id = same.test_run_id and newest.id <> page_results.test_run_id
     where page_results.test_run_id = :runId
       and (page_results.id = any(:resultIds::uuid[])
         or (:resultIds::uuid[] is null and (${CHANGED_SQL} or page_results.is_new)))
     limit :limit`,
    { runId: run.id, suiteId: run.testSuiteId, resultIds, limit: SAME_MAX },
  );
}

export async function setRunRules(
  db: Db,
  { id, config }: Pick<Run, 'id' | 'config'>,
  rules: PageRule[],
): Promise<void> {
  await db('test_runs')
    .where({ id })
    .update({ config: json({ ...config, rules }) });
}

export async function setJudgeAgain(db: Db, id: string): Promise<void> {
  await db('test_runs').where({ id }).update({ judge_again: true });
}

/** Clears the mark. True if it was set. */
export async function takeJudgeAgain(db: Db, id: string): Promise<boolean> {
  return (await db('test_runs').where({ id, judge_again: true }).update({ judge_again: false })) === 1;
}

type MergeBases = Record<string, MergeBase>;

declare module '../../db/json.ts' {
  interface JsonColumns {
    'test_runs.git_merge_bases': MergeBases;
  }
}

/** The answers for the run so far, by commit or branch. */
export async function findMergeBases(db: Db, runId: string): Promise<MergeBases> {
  const row = await db('test_runs').where({ id: runId }).first('git_merge_bases');
  return row?.gitMergeBases ?? {};
}

export async function saveMergeBase(db: Db, runId: string, of: string, base: MergeBase): Promise<void> {
  await db.raw(`update test_runs set git_merge_bases = coalesce(git_merge_bases, '{}') || ?::jsonb where id = ?`, [
    JSON.stringify({ [of]: base }),
    runId,
  ]);
}

/** The repository and head of a pull request's run. Null for other runs, and without an installation of the App. */
export async function findRepository(
  db: Db,
  runId: string,
): Promise<{ owner: string; repo: string; installationId: number } | null> {
  const row = await db('test_runs')
    .join('test_suites', 'test_suites.id', 'test_runs.test_suite_id')
    .where({ 'test_runs.id': runId, 'test_runs.run_type': 'PR' })
    .first(
      'git_owner as owner',
      'git_repo as repo',
      computed(db, 'installation_id', 'bigint or null', INSTALLATION_ID_SQL),
    );
  if (row === null || row.installationId === null) return null;
  return notNull(row, 'owner', 'repo', 'installationId');
}

/** A result with the baseline that it must be compared with. */
export type OutdatedResult = {
  result: PageResult;
  baseline: { filePath: string; currentVersionId: string; heardFile: string | null };
};

/** In the order of the run. */
export async function findOutdatedResults(
  db: Db,
  { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>,
): Promise<OutdatedResult[]> {
  const rows = await db('page_results')
    .join('baselines', (join) =>
      join
        .on('baselines.path', 'page_results.path')
        .andOn('baselines.viewport', 'page_results.viewport')
        .andOnVal('baselines.test_suite_id', testSuiteId),
    )
    .join('baseline_versions', 'baseline_versions.id', 'baselines.current_version_id')
    .where({ 'page_results.test_run_id': id })
    .whereRaw(IS_OUTDATED_SQL)
    .orderBy('page_results.position')
    .select([
      ...RESULT_COLUMNS,
      'baselines.file_path as moved_file',
      'baselines.current_version_id as moved_version_id',
      'baseline_versions.heard_file as moved_heard_file',
    ]);
  return rows.map(({ movedFile, movedVersionId, movedHeardFile, ...result }) => ({
    result,
    baseline: { filePath: movedFile, currentVersionId: movedVersionId, heardFile: movedHeardFile },
  }));
}

const MAX_RUNS = 100;

/** Runs of the suite for pull requests of the same repository as this run. */
const runsBesides = (db: Db, { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>) =>
  db('test_runs')
    .join('test_runs as this', (join) =>
      join
        .on('this.git_owner', 'test_runs.git_owner')
        .andOn('this.git_repo', 'test_runs.git_repo')
        .andOnVal('this.id', id),
    )
    .where({ 'test_runs.test_suite_id': testSuiteId, 'test_runs.run_type': 'PR' });

/** Whether a commit was a head of another pull request. */
export async function wasHeadOf(
  db: Db,
  run: Pick<Run, 'id' | 'testSuiteId'>,
  number: number | null,
  sha: string,
): Promise<boolean> {
  const row = await runsBesides(db, run)
    .where({ 'test_runs.git_pr_number': number, 'test_runs.git_head_sha': sha })
    .first('test_runs.id');
  return row !== null;
}

/**
 * Whether the finished run of another pull request's head, or else its newest, shows the same change, or the same new
 * page. A run that gates leaves nothing to one that does not, because nobody would decide about it.
 */
export async function showsSameChange(
  db: Db,
  run: Pick<Run, 'id' | 'testSuiteId' | 'isGated'>,
  number: number,
  change: { path: string; viewport: string; currentFile: string; heardKey: string | null },
): Promise<boolean> {
  const { path, viewport, currentFile, heardKey } = change;
  const newest = await runsBesides(db, run)
    .where({ 'test_runs.git_pr_number': number })
    .whereIn('test_runs.status', DECIDABLE)
    .orderByRaw(HEAD_FIRST_SQL)
    .first('test_runs.id', 'test_runs.git_gated');
  if (newest === null || (run.isGated && !newest.gitGated)) return false;
  const same = await db('page_results')
    .where({ test_run_id: newest.id, path, viewport, current_file: currentFile })
    .whereRaw('heard_key is not distinct from ?', [heardKey])
    .whereRaw(
      `((status = 'FAIL' and coalesce(cause, 'CHANGE') in ('CHANGE', 'FROM_PULL_REQUEST')) or (status = 'PASS' and is_new))`,
    )
    .first('id');
  return same !== null;
}

/** The runs of the heads of the pull requests that are based on this run's, or else their last. Merged ones are left out. */
export async function findRunsAbove(db: Db, run: Pick<Run, 'id' | 'testSuiteId'>, number: number): Promise<string[]> {
  return runsBesides(db, run)
    .where({ 'test_runs.git_base_number': number, 'test_runs.git_merged': false })
    .distinctOn('test_runs.git_pr_number')
    .orderByRaw(`test_runs.git_pr_number, ${HEAD_FIRST_SQL}`)
    .limit(MAX_RUNS)
    .pluck('test_runs.id');
}

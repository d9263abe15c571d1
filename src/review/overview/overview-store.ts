import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import { approvableSql, undoableSql } from '../approval/approvable-sql.ts';
import type { Approver } from './approver.ts';
import type { Cause } from '../../runs/results/result.ts';
import type { Run } from '../../runs/run.ts';

/** Counts of the results in one section with one cause. `reviewRank` is the section's index in `REVIEW_SECTIONS`. */
export type SectionCount = {
  reviewRank: number;
  cause: Cause | null;
  results: number;
  unapproved: number;
  undoable: number;
  errorPaths: number;
};

export async function countSections(db: Db, run: Run): Promise<SectionCount[]> {
  return db('page_results')
    .where({ test_run_id: run.id })
    .groupBy('review_rank', 'cause')
    .select(
      'review_rank',
      'cause',
      computed(db, 'results', 'bigint', 'count(*)'),
      computed(db, 'unapproved', 'bigint', `count(*) filter (where ${approvableSql(run)})`),
      computed(db, 'undoable', 'bigint', `count(*) filter (where ${undoableSql(run)})`, [run.id]),
      computed(db, 'error_paths', 'bigint', "count(distinct path) filter (where status = 'ERROR')"),
    );
}

export type RunSectionCount = { testRunId: string; reviewRank: number; results: number; approved: number };

/** The same for several runs, in one query. */
export async function countSectionsOfRuns(db: Db, runIds: string[]): Promise<RunSectionCount[]> {
  return db('page_results')
    .whereIn('test_run_id', runIds)
    .groupBy('test_run_id', 'review_rank')
    .select(
      'test_run_id',
      'review_rank',
      computed(db, 'results', 'bigint', 'count(*)'),
      computed(db, 'approved', 'bigint', 'count(*) filter (where approved)'),
    );
}

/** The approvers and how many results each approved, latest first, without deleted accounts. */
export async function findApprovers(db: Db, runId: string): Promise<Approver[]> {
  const rows = await db('page_results')
    .join('users', 'users.id', 'page_results.approved_by')
    .where({ test_run_id: runId, approved: true })
    .groupBy('users.id')
    .select(
      'users.id',
      'users.name',
      'users.email',
      'users.image',
      computed(db, 'results', 'bigint', 'count(*)'),
      computed(db, 'last_at', 'timestamptz', 'max(page_results.approved_at)'),
    )
    .orderBy('last_at', 'desc')
    .orderBy('users.id');
  return rows.map(({ results, lastAt, ...user }) => ({ user, results, lastAt }));
}

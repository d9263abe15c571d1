import type { UserSummary } from '../auth/user.ts';
import type { Db } from '../db/database.ts';
import { approvableSql, undoableSql } from './approvable-sql.ts';
import type { Approver } from './approver.ts';
import type { Run } from '../runs/run.ts';

/** Counts of the results in one section. `reviewRank` is the section's index in `REVIEW_SECTIONS`. */
export type SectionCount = {
  reviewRank: number;
  results: number;
  unapproved: number;
  undoable: number;
  errorPaths: number;
};

export async function countSections(db: Db, run: Run): Promise<SectionCount[]> {
  return db('page_results')
    .where({ test_run_id: run.id })
    .groupBy('review_rank')
    .select<SectionCount[]>(
      'review_rank',
      db.raw('count(*) as results'),
      db.raw(`count(*) filter (where ${approvableSql(run)}) as unapproved`),
      db.raw(`count(*) filter (where ${undoableSql(run)}) as undoable`, [run.id]),
      db.raw("count(distinct path) filter (where status = 'ERROR') as error_paths"),
    );
}

export type RunSectionCount = { testRunId: string; reviewRank: number; results: number; approved: number };

/** The same for several runs, in one query. */
export async function countSectionsOfRuns(db: Db, runIds: string[]): Promise<RunSectionCount[]> {
  return db('page_results')
    .whereIn('test_run_id', runIds)
    .groupBy('test_run_id', 'review_rank')
    .select<RunSectionCount[]>(
      'test_run_id',
      'review_rank',
      db.raw('count(*) as results'),
      db.raw('count(*) filter (where approved) as approved'),
    );
}

type ApproverRow = UserSummary & { results: number; lastAt: Date };

/** The approvers and how many results each approved, latest first, without deleted accounts. */
export async function findApprovers(db: Db, runId: string): Promise<Approver[]> {
  const rows = await db('page_results')
    .join('users', 'users.id', 'page_results.approved_by')
    .where({ test_run_id: runId, approved: true })
    .groupBy('users.id')
    .orderBy('last_at', 'desc')
    .orderBy('users.id')
    .select<ApproverRow[]>(
      'users.id',
      'users.name',
      'users.email',
      'users.image',
      db.raw('count(*) as results'),
      db.raw('max(page_results.approved_at) as last_at'),
    );
  return rows.map(({ results, lastAt, ...user }) => ({ user, results, lastAt }));
}

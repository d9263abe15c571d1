import { z } from 'zod';
import type { UserSummary } from '../../auth/user.ts';
import { computed, readRows, type Db } from '../../db/database.ts';
import { CAUSES, rankSection, REVIEW_SECTIONS, type ReviewSection } from '../../runs/results/result.ts';
import type { Run } from '../../runs/run.ts';
import { approvableSql, undecidedSql } from '../approval/approvable-sql.ts';

/** Counts of the results in one section with one cause. `reviewRank` is that of the section. */
const SectionCount = z.object({
  reviewRank: z.number(),
  cause: z.enum(CAUSES).nullable(),
  results: z.number(),
  unapproved: z.number(),
  /** How many of those are undecided. */
  undecided: z.number(),
  /** How many have an approval. */
  approved: z.number(),
  /** How many wait for an approval because preview and site may be one server. */
  doubted: z.number(),
  errorPaths: z.number(),
});
export type SectionCount = z.infer<typeof SectionCount>;

/** Sections in which nothing can be approved. An index alone counts them. */
const RESTING = ['pending', 'passed', 'cancelled'] as const satisfies ReviewSection[];

export async function countSections(db: Db, run: Run): Promise<SectionCount[]> {
  const ranks = RESTING.map(rankSection);
  const others = REVIEW_SECTIONS.map((_, rank) => rank).filter((rank) => !ranks.includes(rank));
  return readRows(
    db,
    SectionCount,
    `select review_rank, cause, count(*) as results, count(*) filter (where ${approvableSql(run)}) as unapproved,
            count(*) filter (where ${undecidedSql(run)}) as undecided,
            count(*) filter (where approved) as approved,
            count(*) filter (where servers = 'MAYBE_ONE' and not approved) as doubted,
            count(distinct path) filter (where status = 'ERROR') as error_paths
     from page_results where test_run_id = ? and review_rank = any(?)
     group by review_rank, cause
     union all
     select review_rank, null, count(*), 0, 0, count(*) filter (where approved), 0, 0
     from page_results where test_run_id = ? and review_rank = any(?)
     group by review_rank`,
    [run.id, others, run.id, ranks],
  );
}

/** Somebody who approved results of a run. */
export type Approver = { user: UserSummary; results: number; lastAt: Date };

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

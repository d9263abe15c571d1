import { z } from 'zod';
import { personSql } from '../../auth/person-sql.ts';
import { readRow, readRows, type Db } from '../../db/database.ts';
import { Verdict, type Decision } from './verdict.ts';

export type VerdictDraft = Pick<Verdict, 'decision'> & {
  note?: string | null | undefined;
  authorId: string;
  /** `null`: the run itself. */
  resultIds: string[] | null;
  /** It is about what the pull request changes in the settings. */
  settings?: boolean;
};

/** Adds the run's next verdict. The caller has locked the run. */
export async function insertVerdict(db: Db, runId: string, draft: VerdictDraft): Promise<void> {
  const { decision, note = null, authorId, resultIds, settings = false } = draft;
  const [run] = await db('test_runs')
    .where({ id: runId })
    .update({ verdict_number: db.raw('verdict_number + 1'), updated_at: db.fn.now() })
    .returning('verdict_number');
  const number = run?.verdictNumber ?? 1;
  await db('verdicts').insert({
    test_run_id: runId,
    number,
    decision,
    whole_run: resultIds === null,
    results: resultIds?.length ?? 0,
    settings,
    author_id: authorId,
    note,
  });
  if (resultIds === null) return;
  await db('page_results')
    .whereRaw('id = any(?)', [resultIds])
    .update({ verdict_number: number, updated_at: db.fn.now() });
}

const VERDICTS_SQL = `select number, decision, whole_run, results, settings, ${personSql('users')} as author, note,
         verdicts.created_at
  from verdicts left join users on users.id = verdicts.author_id where test_run_id = :runId`;

/** Newest first, those before the number `before`. */
export async function findVerdicts(
  db: Db,
  runId: string,
  about: { limit: number; before: number | null },
): Promise<Verdict[]> {
  const sql = `${VERDICTS_SQL} and (:before::integer is null or number < :before) order by number desc limit :limit`;
  return readRows(db, Verdict, sql, { runId, ...about });
}

/** Other people's verdicts after number `seen`. */
const NEWS_SQL = `${VERDICTS_SQL} and number > :seen and author_id is distinct from :viewerId::uuid`;

/**
 * Other people's verdicts after number `seen` that differ from the decision: on the run itself, or the last one on one
 * of the results. Newest first.
 */
export async function findContraryVerdicts(
  db: Db,
  runId: string,
  about: { seen: number; viewerId: string; decision: Decision; resultIds: string[]; settings: boolean; limit: number },
): Promise<Verdict[]> {
  return readRows(
    db,
    Verdict,
    `${NEWS_SQL} and decision <> :decision
       and (whole_run or (settings and :settings::boolean) or exists (
         select from page_results
         where page_results.test_run_id = :runId and page_results.id = any(:resultIds::uuid[])
           and page_results.verdict_number = verdicts.number
       ))
     order by number desc limit :limit`,
    { runId, ...about },
  );
}

/** Other people's verdicts after number `seen`, newest first. */
export async function findVerdictsOfOthers(
  db: Db,
  runId: string,
  about: { seen: number; viewerId: string; limit: number },
): Promise<Verdict[]> {
  return readRows(db, Verdict, `${NEWS_SQL} order by number desc limit :limit`, { runId, ...about });
}

const Own = z.object({
  since: z.string().nullable(),
  resultIds: z.array(z.uuid()),
  wholeRun: z.boolean(),
  settings: z.boolean(),
});

/**
 * What one person decided after verdict number `seen`, up to `until`: since when, and about which results, except those
 * that anybody decided about later.
 */
export async function findOwnSince(
  db: Db,
  runId: string,
  about: { seen: number; until: number; viewerId: string },
): Promise<z.infer<typeof Own>> {
  return readRow(
    db,
    Own,
    `with own as (
       select number, whole_run, settings from verdicts
       where test_run_id = :runId and number > :seen and number <= :until and author_id = :viewerId
     )
     select case when count(*) > 0 then (
              select coalesce(max(created_at), 'epoch')::text from verdicts where test_run_id = :runId and number <= :seen
            ) end as since, coalesce(bool_or(whole_run), false) as whole_run,
            coalesce(bool_or(settings), false) as settings,
            array(
              select id from page_results where test_run_id = :runId and verdict_number in (select number from own)
            ) as result_ids
     from own`,
    { runId, ...about },
  );
}

const Span = z.object({ startedAt: z.date().nullable(), endedAt: z.date().nullable() });

/** When the first and the last verdict of the run were given. */
export async function findReviewSpan(db: Db, runId: string): Promise<z.infer<typeof Span>> {
  const sql = 'select min(created_at) as started_at, max(created_at) as ended_at from verdicts where test_run_id = ?';
  return readRow(db, Span, sql, [runId]);
}

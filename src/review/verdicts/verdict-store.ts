import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { DECISIONS, type Decision, type Verdict } from './verdict.ts';

export type VerdictDraft = Pick<Verdict, 'decision' | 'note'> & {
  authorId: string;
  /** `null`: the run itself. */
  resultIds: string[] | null;
  /** It is about what the pull request changes in the settings. */
  settings?: boolean;
};

/** Adds the run's next verdict. The caller has locked the run. */
export async function insertVerdict(db: Db, runId: string, draft: VerdictDraft): Promise<void> {
  const { decision, note, authorId, resultIds, settings = false } = draft;
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

const VerdictRow = z.object({
  number: z.number(),
  decision: z.enum(DECISIONS),
  wholeRun: z.boolean(),
  results: z.number(),
  settings: z.boolean(),
  authorId: z.uuid().nullable(),
  authorName: z.string().nullable(),
  authorEmail: z.string().nullable(),
  authorImage: z.string().nullable(),
  note: z.string().nullable(),
  createdAt: z.date(),
});

const VERDICTS_SQL = `select verdicts.number, decision, whole_run, results, settings, author_id, users.name as author_name,
         users.email as author_email, users.image as author_image, note, verdicts.created_at
  from verdicts left join users on users.id = verdicts.author_id`;

function toVerdict(row: z.infer<typeof VerdictRow>): Verdict {
  const { authorId: id, authorName: name, authorEmail: email, authorImage: image, ...rest } = row;
  return { ...rest, author: id === null ? null : { id, name, email, image } };
}

/** Newest first, those before the number `before`. */
export async function findVerdicts(
  db: Db,
  runId: string,
  { limit, before }: { limit: number; before: number | null },
): Promise<Verdict[]> {
  const earlier = before === null ? '' : 'and number < :before';
  const rows = await readRows(
    db,
    VerdictRow,
    `${VERDICTS_SQL} where test_run_id = :runId ${earlier} order by number desc limit :limit`,
    before === null ? { runId, limit } : { runId, before, limit },
  );
  return rows.map(toVerdict);
}

/**
 * Other people's verdicts after number `seen` that differ from the decision: on the run itself, or the last one on one
 * of the results. Newest first.
 */
export async function findContraryVerdicts(
  db: Db,
  runId: string,
  about: { seen: number; viewerId: string; decision: Decision; resultIds: string[]; settings: boolean; limit: number },
): Promise<Verdict[]> {
  const rows = await readRows(
    db,
    VerdictRow,
    `${VERDICTS_SQL} where verdicts.test_run_id = :runId and number > :seen and decision <> :decision
       and author_id is distinct from :viewerId::uuid
       and (whole_run or (settings and :settings::boolean) or exists (
         select from page_results
         where page_results.test_run_id = :runId and page_results.id = any(:resultIds::uuid[])
           and page_results.verdict_number = verdicts.number
       ))
     order by number desc limit :limit`,
    { runId, ...about },
  );
  return rows.map(toVerdict);
}

/** Other people's verdicts after number `seen`, newest first. */
export async function findVerdictsOfOthers(
  db: Db,
  runId: string,
  { seen, viewerId, limit }: { seen: number; viewerId: string; limit: number },
): Promise<Verdict[]> {
  const rows = await readRows(
    db,
    VerdictRow,
    `${VERDICTS_SQL} where test_run_id = :runId and number > :seen and author_id is distinct from :viewerId::uuid
     order by number desc limit :limit`,
    { runId, seen, viewerId, limit },
  );
  return rows.map(toVerdict);
}

const Own = z.object({
  since: z.string().nullable(),
  resultIds: z.array(z.uuid()),
  wholeRun: z.boolean(),
  settings: z.boolean(),
});

/**
 * What one person decided after verdict number `seen`: since when, and about which results, except those that somebody
 * else decided about later.
 */
export async function findOwnSince(
  db: Db,
  runId: string,
  about: { seen: number; viewerId: string },
): Promise<z.infer<typeof Own>> {
  const [own] = await readRows(
    db,
    Own,
    `with own as (
       select number, whole_run, settings from verdicts
       where test_run_id = :runId and number > :seen and author_id = :viewerId
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
  return own ?? { since: null, resultIds: [], wholeRun: false, settings: false };
}

const Span = z.object({ startedAt: z.date().nullable(), endedAt: z.date().nullable() });

/** When the first and the last verdict of the run were given. */
export async function findReviewSpan(db: Db, runId: string): Promise<z.infer<typeof Span>> {
  const sql = 'select min(created_at) as started_at, max(created_at) as ended_at from verdicts where test_run_id = ?';
  const [span] = await readRows(db, Span, sql, [runId]);
  return span ?? { startedAt: null, endedAt: null };
}

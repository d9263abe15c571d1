import { z } from 'zod';
import { personSql } from '../../auth/person-sql.ts';
import { readRows, readValue, type Db } from '../../db/database.ts';
import { CHANGED_SQL } from '../../runs/results/result-sql.ts';
import { decidableSql, isInBase, type Run } from '../../runs/run.ts';
import { ChangeRequest } from './verdict.ts';

/**
 * Repeated requests by one person about the same thing become one, with the new note. `resultIds` null: to the run itself.
 */
export async function saveChangeRequests(
  db: Db,
  runId: string,
  { authorId, resultIds, note }: { authorId: string; resultIds: string[] | null; note: string },
): Promise<void> {
  await deleteChangeRequests(db, runId, { authorId, of: resultIds ?? 'run' });
  await db.raw(
    `insert into change_requests (test_run_id, page_result_id, author_id, note)
     select :runId::uuid, id, :authorId::uuid, :note from unnest(:resultIds::uuid[]) as id
     union all select :runId::uuid, null, :authorId::uuid, :note where :ofRun::boolean`,
    { runId, authorId, note, resultIds: resultIds ?? [], ofRun: resultIds === null },
  );
}

/**
 * Deletes requests of one person: to these results, to the run itself, or all.
 * @returns the results whose requests were deleted; null in the list stands for the run itself.
 */
export async function deleteChangeRequests(
  db: Db,
  runId: string,
  { authorId, of }: { authorId: string; of: string[] | 'run' | 'all' },
): Promise<(string | null)[]> {
  const query = db('change_requests').where({ test_run_id: runId, author_id: authorId });
  if (of === 'run') void query.whereNull('page_result_id');
  else if (of !== 'all') void query.whereRaw('page_result_id = any(?)', [of]);
  return (await query.delete().returning('page_result_id')).map(({ pageResultId }) => pageResultId);
}

/**
 * Updates the stored state of open requests in the run and its results. A request to the run itself also applies to its
 * changed and new results.
 */
export async function markChangeRequests(db: Db, runId: string): Promise<void> {
  await db.raw(
    `update page_results as marked set changes_requested = asked.directly, refused_at = asked.at, updated_at = now()
     from (
       select page_results.id, coalesce(bool_or(requests.page_result_id is not null), false) as directly,
              max(requests.created_at) as at
       from page_results
       left join change_requests as requests on requests.test_run_id = page_results.test_run_id
         and (requests.page_result_id = page_results.id
           or (requests.page_result_id is null and (${CHANGED_SQL} or page_results.is_new)))
       where page_results.test_run_id = :runId
       group by page_results.id
     ) as asked
     where marked.id = asked.id
       and (marked.changes_requested <> asked.directly or marked.refused_at is distinct from asked.at)`,
    { runId },
  );
  await db.raw(
    `update test_runs set open_requests = (select count(*) from change_requests where test_run_id = :runId)
     where id = :runId`,
    { runId },
  );
}

/**
 * Somebody requests changes in one of these runs to the screenshot of this row of `page_results`. A request to a run itself
 * holds that head of its pull request, and what this head was merged into (`:mergedInto`). A later attempt at a head
 * takes its requests over, and counts from then on.
 */
export const refusedSql = (row: string, runs: string, also = 'true') => `exists (
  select from change_requests as asked join test_runs as asking on asking.id = asked.test_run_id
  join page_results as held on held.test_run_id = asking.id and (held.id = asked.page_result_id
    or (asked.page_result_id is null and asking.git_pr_number = any(:mergedInto) and not asking.git_outdated))
  where asking.id in (${runs}) and held.path = ${row}.path and held.viewport = ${row}.viewport
    and held.current_file = ${row}.current_file and ${also}
    and not exists (
      select from test_runs as later
      join page_results as again on again.test_run_id = later.id and again.path = held.path
        and again.viewport = held.viewport
      where later.test_suite_id = asking.test_suite_id and later.run_type = 'PR'
        and later.git_pr_number = asking.git_pr_number and later.git_head_sha = asking.git_head_sha
        and later.git_attempt > asking.git_attempt and (later.open_requests > 0 or later.verdict_number > 0)
    )
)`;

/** Results of the run on which somebody requests changes. */
export async function findHeldResults(db: Db, runId: string): Promise<Set<string>> {
  const rows = await db('change_requests')
    .where({ test_run_id: runId })
    .whereNotNull('page_result_id')
    .select('page_result_id');
  return new Set(rows.flatMap(({ pageResultId }) => pageResultId ?? []));
}

/** Whether somebody requests changes to the run itself. */
export async function hasRequestToRun(db: Db, runId: string): Promise<boolean> {
  return (await db('change_requests').where({ test_run_id: runId, page_result_id: null }).first('id')) !== null;
}

/** Oldest first. `resultId`: only those about this result and about the run itself. */
export async function findChangeRequests(
  db: Db,
  runId: string,
  { limit, resultId = null }: { limit: number; resultId?: string | null },
): Promise<ChangeRequest[]> {
  return readRows(
    db,
    ChangeRequest,
    `select change_requests.id, page_result_id as result_id, path, viewport, ${personSql('users')} as author, note,
            change_requests.created_at
     from change_requests
     join users on users.id = change_requests.author_id
     left join page_results on page_results.id = change_requests.page_result_id
     where change_requests.test_run_id = :runId
       and (:resultId::uuid is null or page_result_id is null or page_result_id = :resultId)
     order by change_requests.created_at, change_requests.id limit :limit`,
    { runId, resultId, limit },
  );
}

const Asked = z.object({ testRunId: z.string(), names: z.array(z.string()), results: z.number() });

/** Who requests changes to each run, and to how many of its results. Runs without requests have no row. */
export async function findAskers(db: Db, runIds: string[]): Promise<z.output<typeof Asked>[]> {
  return readRows(
    db,
    Asked,
    `select test_run_id, array_agg(distinct coalesce(users.name, users.email)) as names,
            cast(count(distinct page_result_id) as integer) as results
     from change_requests join users on users.id = change_requests.author_id
     where test_run_id = any(cast(? as uuid[])) group by test_run_id`,
    [runIds],
  );
}

/** `this` run, and the `other` attempts at the same head of its pull request. */
const ATTEMPTS_SQL = `test_runs as this
  join test_runs as other on other.test_suite_id = this.test_suite_id and other.run_type = 'PR'
    and other.git_pr_number = this.git_pr_number and other.git_head_sha = this.git_head_sha`;

/**
 * Whether a later attempt at the same head of the run's pull request repeats no requests of this one, because it has
 * ended, or has decisions of its own. None of them ends until the transaction does.
 */
export async function hasLaterAttempt(db: Db, runId: string): Promise<boolean> {
  return readValue(
    db,
    z.boolean(),
    `with attempts as (
       select other.status, other.total_results, other.verdict_number
       from ${ATTEMPTS_SQL} and other.git_attempt > this.git_attempt
       where this.id = ? and this.run_type = 'PR' order by other.git_attempt for share of other
     )
     select exists (
       select from attempts where total_results > 0 and (${decidableSql('status')} or verdict_number > 0)
     ) as answer`,
    [runId],
  );
}

/** Whether the run's pull request is merged with a later run, to which approvals were carried over from this one. */
export async function hasMergedLater(db: Db, run: Pick<Run, 'id' | 'isMerged' | 'isGated'>): Promise<boolean> {
  if (!isInBase(run)) return false;
  return readValue(
    db,
    z.boolean(),
    `select exists (
       select from test_runs as this
       join test_runs as other on other.test_suite_id = this.test_suite_id and other.run_type = 'PR'
         and other.git_owner = this.git_owner and other.git_repo = this.git_repo
         and other.git_pr_number = this.git_pr_number and not other.git_outdated
       where this.id = ? and (this.git_outdated or other.git_attempt > this.git_attempt)
     ) as answer`,
    [run.id],
  );
}

/**
 * Repeats the requests of the run's last attempt at the same head of its pull request that had any, or a decision about
 * them: another attempt does not resolve them, and one that did not finish has none. Nothing is repeated once somebody
 * has decided about this run.
 * @returns how many.
 */
export async function carryChangeRequests(db: Db, runId: string): Promise<number> {
  const { rowCount } = await db.raw(
    `with before as (
       select other.id
       from ${ATTEMPTS_SQL}
         and other.git_attempt < this.git_attempt and (other.open_requests > 0 or other.verdict_number > 0)
       where this.id = :runId and this.run_type = 'PR' and this.verdict_number = 0
       order by other.git_attempt desc limit 1
     )
     insert into change_requests (test_run_id, page_result_id, author_id, note, created_at)
     select :runId::uuid, now_at.id, asked.author_id, asked.note, asked.created_at
     from change_requests as asked
     left join page_results as then_at on then_at.id = asked.page_result_id
     left join page_results as now_at on now_at.test_run_id = :runId and now_at.path = then_at.path
       and now_at.viewport = then_at.viewport
     where asked.test_run_id = (select id from before) and (asked.page_result_id is null or now_at.id is not null)
     on conflict do nothing`,
    { runId },
  );
  return rowCount ?? 0;
}

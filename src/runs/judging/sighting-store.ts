import { z } from 'zod';
import { computed, readRows, readValue, type Db } from '../../db/database.ts';
import type { PageResult } from '../results/result.ts';

type Compared = Pick<PageResult, 'id' | 'baselineVersionId' | 'baselineFile' | 'currentFile' | 'controlFile'>;

/**
 * How the page looked after the current version of its baseline and before this run: on the suite's own site, by its
 * runs and by control screenshots, and on other deployments of the same head.
 */
const SIGHTINGS_SQL = `this as (
  select page_results.id, page_results.url, test_runs.run_type, test_runs.git_head_sha, test_runs.git_branch, test_runs.git_pr_number,
         test_runs.created_at as began_at, baseline_versions.id as version_id, baseline_versions.approved_at as version_at,
         baseline_versions.page_result_id as made_of
  from page_results
  join test_runs on test_runs.id = page_results.test_run_id
  join baseline_versions on baseline_versions.id = :baselineVersionId::uuid
  where page_results.id = :id::uuid
), sightings as (
  select runs.created_at, runs.ended_at, seen.is_site, seen.file
  from this
  join page_results on page_results.baseline_version_id = this.version_id and page_results.id <> this.id
  join test_runs as runs on runs.id = page_results.test_run_id
  cross join lateral (values
    (true, page_results.control_file),
    (runs.run_type = 'MANUAL', case when runs.run_type = 'MANUAL' or runs.git_head_sha = this.git_head_sha then page_results.current_file end)
  ) as seen (is_site, file)
  where seen.file is not null and runs.created_at > this.version_at and runs.created_at < this.began_at
)`;

async function ask(db: Db, sql: string, of: Compared): Promise<boolean> {
  const { id, baselineVersionId, baselineFile, currentFile, controlFile } = of;
  const bindings = { id, baselineVersionId, baselineFile, currentFile, controlFile };
  return readValue(db, z.boolean(), sql, bindings);
}

/**
 * Whether the page was seen to change between the result's two screenshots and back, in the loads of one capture or
 * between sightings.
 */
export async function hasAlternated(db: Db, of: Compared): Promise<boolean> {
  return ask(
    db,
    `with ${SIGHTINGS_SQL}
     select exists (
       select from this
       join page_results on page_results.baseline_version_id = this.version_id or page_results.id = this.made_of
       where page_results.also_seen @> to_jsonb(:currentFile::text)
     ) or exists (
       select from sightings as before
       where before.file = :currentFile and (
         (before.is_site and :controlFile = :baselineFile) or exists (
           select from sightings as later
           where later.is_site = before.is_site and later.created_at > before.created_at and later.file = :baselineFile
         )
       )
     ) as answer`,
    of,
  );
}

/**
 * Whether the site looked like the result's screenshot before this preview could: before any run of the same pull
 * request, branch or address that showed it. When other previews were deployed is unknown, so none of them may have
 * shown it.
 */
export async function hasSiteShownBefore(db: Db, of: Compared): Promise<boolean> {
  return ask(
    db,
    `with ${SIGHTINGS_SQL}, first as (
       select least(this.began_at, min(runs.created_at)) as at
       from this
       left join page_results on page_results.baseline_version_id = this.version_id
         and page_results.current_file = :currentFile
       left join test_runs as runs on runs.id = page_results.test_run_id and runs.run_type <> 'MANUAL'
         and (this.run_type <> 'PR' or page_results.url = this.url or runs.git_pr_number = this.git_pr_number
           or runs.git_branch = this.git_branch)
       group by this.began_at
     )
     select exists (
       select from sightings, first
       where sightings.is_site and sightings.file = :currentFile and sightings.ended_at < first.at
     ) as answer`,
    of,
  );
}

/** Whether any page of the run showed its preview and the site to be different servers. */
export async function hasToldApart(db: Db, runId: string): Promise<boolean> {
  return (await db('page_results').where({ test_run_id: runId, servers: 'DIFFERENT' }).first('id')) !== null;
}

/**
 * Screens of a run that stand in for several pages with different baselines, such as a login or a notice. They say
 * nothing about those pages.
 */
const STAND_INS_SQL = `select viewport, current_file from page_results where test_run_id = :testRunId
  group by viewport, current_file having count(distinct baseline_file) > 2`;

export async function isStandIn(
  db: Db,
  { testRunId, viewport, currentFile }: Pick<PageResult, 'testRunId' | 'viewport' | 'currentFile'>,
): Promise<boolean> {
  const sql = `select (:viewport::text, :currentFile::text) in (${STAND_INS_SQL}) as answer`;
  return readValue(db, z.boolean(), sql, { testRunId, viewport, currentFile });
}

/** Counts results that were judged before other pages showed the same screen. */
export async function countStandIns(db: Db, testRunId: string): Promise<void> {
  await db.raw(
    `update page_results set cause = 'CHANGE', updated_at = now()
     where test_run_id = :testRunId and cause = 'DRIFT' and (viewport, current_file) in (${STAND_INS_SQL})`,
    { testRunId },
  );
}

const OlderRow = z.object({
  id: z.uuid(),
  version: z.int(),
  filePath: z.string(),
  elementsFile: z.string().nullable(),
  heardFile: z.string().nullable(),
  isRefused: z.boolean(),
  mergeCommitSha: z.string().nullable(),
  prNumber: z.int().nullable(),
  approvedAt: z.date(),
});

type OfNext = 'mergeCommitSha' | 'prNumber' | 'approvedAt';
/** A former version, and the one that replaced it. */
export type OlderVersion = Omit<z.infer<typeof OlderRow>, OfNext> & { next: Pick<z.infer<typeof OlderRow>, OfNext> };

/** Compares the key of two rows of versions. */
const sameKey = (one: string, other: string) =>
  `${one}.test_suite_id = ${other}.test_suite_id and ${one}.path = ${other}.path and ${one}.viewport = ${other}.viewport`;

/** A restore or an undo has returned to a version before `older`. */
const SKIPPED_SQL = `exists (
  select from baseline_versions as restored
  where ${sameKey('restored', 'older')} and restored.version > older.version and restored.restored_version < older.version
)`;

/**
 * The screenshot of the version `older` was refused: an approval was undone, or somebody requested changes, since it
 * became that version or in the run in which it was approved.
 */
const REFUSED_SQL = `exists (
  select from page_results as refused join test_runs on test_runs.id = refused.test_run_id
  where test_runs.test_suite_id = older.test_suite_id and refused.path = older.path and refused.viewport = older.viewport
    and (refused.refused_at is not null or refused.approval_undone_at is not null)
    and refused.current_file = older.file_path
    and (refused.approval_undone_at > older.approved_at or refused.refused_at > older.approved_at
      or (refused.refused_at is not null and refused.id = older.page_result_id))
)`;

/**
 * The screenshots that were the baseline before the one that a result was compared with, newest first, each with the
 * last version that has it. Screenshots that were approved again after a refusal are not refused.
 */
export async function findOlderVersions(
  db: Db,
  { baselineVersionId }: { baselineVersionId: string | null },
  limit: number,
): Promise<OlderVersion[]> {
  const rows = await readRows(
    db,
    OlderRow,
    `select older.id, older.version, older.file_path, older.elements_file, older.heard_file, (${SKIPPED_SQL} or ${REFUSED_SQL}) as is_refused,
            next.merge_commit_sha, next.pr_number, next.approved_at
     from baseline_versions as compared
     join baseline_versions as older on ${sameKey('older', 'compared')} and older.version < compared.version
     join baseline_versions as next on ${sameKey('next', 'older')} and next.version = older.version + 1
     where compared.id = :baselineVersionId::uuid and not exists (
       select from baseline_versions as again
       where ${sameKey('again', 'older')} and again.version > older.version and again.file_path = older.file_path
     )
     order by older.version desc limit :limit`,
    { baselineVersionId, limit },
  );
  return rows.map(({ mergeCommitSha, prNumber, approvedAt, ...older }) => ({
    ...older,
    next: { mergeCommitSha, prNumber, approvedAt },
  }));
}

/** When the suite's own site last looked like this version. Null: never. */
export async function findLastSighting(db: Db, versionId: string): Promise<Date | null> {
  const seen = await db('page_results')
    .join('test_runs', 'test_runs.id', 'page_results.test_run_id')
    .where({ 'page_results.baseline_version_id': versionId, 'page_results.status': 'PASS', run_type: 'MANUAL' })
    .first(computed(db, 'at', 'timestamptz or null', 'max(test_runs.created_at)'));
  const made = await db('baseline_versions')
    .join('test_runs', 'test_runs.id', 'baseline_versions.test_run_id')
    .where({ 'baseline_versions.id': versionId, run_type: 'MANUAL' })
    .first('test_runs.created_at as at');
  const times = [seen?.at ?? null, made?.at ?? null].filter((at) => at !== null);
  return times.length === 0 ? null : new Date(Math.max(...times.map((at) => at.getTime())));
}

import { z } from 'zod';
import { STANDING_SQL } from '../baselines/promotion-sql.ts';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';

const VersionKey = z.object({
  suiteId: z.string(),
  path: z.string(),
  viewport: z.string(),
  versions: z.number(),
  lowest: z.number(),
  newest: z.number(),
  hasBaseline: z.boolean(),
});
export type VersionKey = z.infer<typeof VersionKey>;

/** How the versions of each page and viewport are numbered, in the order of the key. */
export async function findVersionKeys(db: Db, after: VersionKey | null, limit: number): Promise<VersionKey[]> {
  return readRows(
    db,
    VersionKey,
    `select key.*, exists (
       select from baselines
       where baselines.test_suite_id = key.suite_id and baselines.path = key.path and baselines.viewport = key.viewport
     ) as has_baseline
     from (
       select test_suite_id as suite_id, path, viewport, count(*)::integer as versions, min(version) as lowest,
              max(version) as newest
       from baseline_versions
       ${after === null ? '' : 'where (test_suite_id, path, viewport) > (:suiteId::uuid, :path, :viewport)'}
       group by test_suite_id, path, viewport
       order by test_suite_id, path, viewport
       limit :limit
     ) as key
     order by suite_id, path, viewport`,
    after === null ? { limit } : { suiteId: after.suiteId, path: after.path, viewport: after.viewport, limit },
  );
}

const Pointer = z.object({
  id: z.string(),
  suiteId: z.string(),
  path: z.string(),
  viewport: z.string(),
  current: z.number(),
  newest: z.number().nullable(),
  isNewest: z.boolean(),
});
export type Pointer = z.infer<typeof Pointer>;

/** Where each baseline points, and the newest version of its page and viewport. By id. */
export async function findPointers(db: Db, after: Pointer | null, limit: number): Promise<Pointer[]> {
  return readRows(
    db,
    Pointer,
    `select baselines.id, baselines.test_suite_id as suite_id, baselines.path, baselines.viewport,
            baselines.current_version as current, newest.version as newest,
            (newest.id = baselines.current_version_id and newest.version = baselines.current_version
              and newest.file_path = baselines.file_path
              and baselines.is_approved = (newest.source <> 'INITIAL')) is true as is_newest
     from (
       select * from baselines ${after === null ? '' : 'where id > :after::uuid'} order by id limit :limit
     ) as baselines
     left join lateral (
       select versions.id, versions.version, versions.file_path, versions.source
       from baseline_versions as versions
       where versions.test_suite_id = baselines.test_suite_id and versions.path = baselines.path
         and versions.viewport = baselines.viewport
       order by versions.version desc
       limit 1
     ) as newest on true
     order by baselines.id`,
    after === null ? { limit } : { after: after.id, limit },
  );
}

const RepeatedPromotion = z.object({
  resultId: z.string(),
  suiteId: z.string(),
  path: z.string(),
  viewport: z.string(),
  versions: z.string(),
});
export type RepeatedPromotion = z.infer<typeof RepeatedPromotion>;

/** Results that are more than one version without an undo between them, with those versions as text. By result. */
export async function findRepeatedPromotions(
  db: Db,
  after: RepeatedPromotion | null,
  limit: number,
): Promise<RepeatedPromotion[]> {
  return readRows(
    db,
    RepeatedPromotion,
    `select page_result_id as result_id, min(test_suite_id::text) as suite_id, min(path) as path,
            min(viewport) as viewport, string_agg(version::text, ', ' order by version) as versions
     from baseline_versions
     where page_result_id ${after === null ? 'is not null' : '> :after::uuid'} and ${STANDING_SQL}
     group by page_result_id
     having count(*) > 1
     order by page_result_id
     limit :limit`,
    after === null ? { limit } : { after: after.resultId, limit },
  );
}

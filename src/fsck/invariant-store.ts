import { z } from 'zod';
import { STANDING_SQL } from '../baselines/version-sql.ts';
import { readRows, type Db } from '../db/database.ts';
import type { Fault, FaultKind } from './fault.ts';

const PLACE = `path || ' at ' || viewport`;

/** Invariants of every suite: each statement selects the rows that break one. */
const INVARIANTS: { kind: FaultKind; sql: string }[] = [
  {
    // Versions of a page and viewport are numbered from 1 without a gap.
    kind: 'version_gap',
    sql: `select ${PLACE} as subject,
                 format('its %s versions are numbered %s to %s', count(*), min(version), max(version)) as message
          from baseline_versions where test_suite_id = :suiteId
          group by path, viewport having min(version) <> 1 or max(version) <> count(*)`,
  },
  {
    kind: 'wrong_pointer',
    sql: `select distinct ${PLACE} as subject, 'it has versions and no baseline' as message
          from baseline_versions as versions
          where test_suite_id = :suiteId and not exists (
            select from baselines
            where (baselines.test_suite_id, baselines.path, baselines.viewport)
              = (versions.test_suite_id, versions.path, versions.viewport)
          )`,
  },
  {
    // The newest version of each page and viewport is its baseline.
    kind: 'wrong_pointer',
    sql: `select baselines.path || ' at ' || baselines.viewport as subject,
                 format('its baseline is version %s, the newest is %s, or they differ',
                        current_version, coalesce(newest.version::text, 'none')) as message
          from baselines
          left join lateral (
            select * from baseline_versions as versions
            where (versions.test_suite_id, versions.path, versions.viewport)
              = (baselines.test_suite_id, baselines.path, baselines.viewport)
            order by version desc limit 1
          ) as newest on true
          where baselines.test_suite_id = :suiteId
            and (newest.id = current_version_id and newest.version = current_version
              and newest.file_path = baselines.file_path
              and baselines.is_approved = (newest.source <> 'INITIAL')) is not true`,
  },
  {
    // A result becomes a version once. Promotions of a suite run one at a time and look for existing versions, because
    // no index could refuse a second one.
    kind: 'promoted_twice',
    sql: `select min(${PLACE}) as subject,
                 format('versions %s are all of the result %s, with no undo between them',
                        string_agg(version::text, ', ' order by version), page_result_id) as message
          from baseline_versions
          where test_suite_id = :suiteId and page_result_id is not null and ${STANDING_SQL}
          group by page_result_id having count(*) > 1`,
  },
];

const Found = z.object({ subject: z.string(), message: z.string() });

/** The rows of a suite that break an invariant. Each statement sees one snapshot. */
export async function* checkInvariants(db: Db, suiteId: string): AsyncGenerator<Fault> {
  for (const { kind, sql } of INVARIANTS) {
    for (const found of await readRows(db, Found, sql, { suiteId })) yield { kind, suiteId, ...found };
  }
}

import type { MergeBase } from '../../context.ts';
import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import { notNull } from '../../db/not-null.ts';
import { INSTALLATION_ID_SQL } from '../run-sql.ts';

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
  if (row === undefined || row.installationId === null) return null;
  return notNull(row, 'owner', 'repo', 'installationId');
}

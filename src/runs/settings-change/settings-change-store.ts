import type { UserSummary } from '../../auth/user.ts';
import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import { effectiveConfig, type SuiteConfig } from '../../suites/config/suite-config.ts';
import type { Run } from '../run.ts';
import type { Looks, SettingsChange, SettingsDraft } from './settings-change.ts';

/**
 * Stores it with the run, replacing what was stored before. An approval of another loosening no longer counts. @param
 * looks null: not changed
 */
export async function saveSettingsChange(
  db: Db,
  runId: string,
  { differences, own, base, hash, looks }: Omit<SettingsDraft, 'looks'> & { looks: Looks | null },
): Promise<void> {
  const change = { differences: json(differences), own: json(own), base_config: json(base) };
  await db('settings_changes')
    .insert({ test_run_id: runId, ...change, not_captured: looks?.notCaptured ?? 0 })
    .onConflict(['test_run_id'])
    .merge(['differences', 'own', 'base_config', 'updated_at']);
  await db('test_runs').where({ id: runId }).whereRaw('settings_hash is distinct from ?', [hash]).update({
    settings_hash: hash,
    settings_approved_by: null,
    settings_approved_at: null,
    settings_carried_over: false,
    updated_at: db.fn.now(),
  });
}

/** Null: the pull request changes none, or the run has no pull request. */
export async function findSettingsChange(db: Db, runId: string): Promise<SettingsChange | null> {
  const row = await db('settings_changes')
    .where({ test_run_id: runId })
    .first('differences', 'own', 'base_config', 'not_captured');
  if (row === undefined) return null;
  return {
    differences: row.differences,
    own: row.own,
    base: effectiveConfig(row.baseConfig),
    notCaptured: row.notCaptured,
  };
}

export async function findApprover(db: Db, userId: string): Promise<UserSummary | null> {
  return (await db('users').where({ id: userId }).first('id', 'name', 'email', 'image')) ?? null;
}

/** The runs of the suite that are not merged, whose pull requests change its settings, newest first. */
export async function findRunsWithChange(db: Db, suiteId: string, limit: number): Promise<string[]> {
  const rows = await db('settings_changes')
    .join('test_runs', 'test_runs.id', 'settings_changes.test_run_id')
    .where({ test_suite_id: suiteId, git_merged: false })
    .whereNot({ status: 'CANCELLED' })
    .orderBy('test_runs.created_at', 'desc')
    .limit(limit)
    .select('test_runs.id');
  return rows.map(({ id }) => id);
}

/** The configuration of the base, if the run's pull request loosens it. Null: the run's configuration is not looser. */
export async function findBaseConfig(
  db: Db,
  { id, settingsHash }: Pick<Run, 'id' | 'settingsHash'>,
): Promise<SuiteConfig | null> {
  return settingsHash === null ? null : ((await findSettingsChange(db, id))?.base ?? null);
}

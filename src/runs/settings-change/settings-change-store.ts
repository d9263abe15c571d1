import { z } from 'zod';
import { computed, readValues, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import { effectiveConfig, type SuiteConfig } from '../../suites/config/suite-config.ts';
import type { Run } from '../run.ts';
import {
  LOOK_COLUMNS,
  type Look,
  type LookCounts,
  type Looks,
  type SettingsChange,
  type SettingsDraft,
} from './settings-change.ts';

/** Stores it with the run, replacing what was stored before. An approval of another loosening no longer counts. */
export async function saveSettingsChange(
  db: Db,
  runId: string,
  { differences, own, base, hash, looks }: SettingsDraft,
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
  if (row === null) return null;
  const { baseConfig, ...change } = row;
  return { ...change, base: effectiveConfig(baseConfig) };
}

/** The configuration of the base, if the run's pull request loosens it. Null: the run's configuration is not looser. */
export async function findBaseConfig(
  db: Db,
  { id, settingsHash }: Pick<Run, 'id' | 'settingsHash'>,
): Promise<SuiteConfig | null> {
  return settingsHash === null ? null : ((await findSettingsChange(db, id))?.base ?? null);
}

/**
 * Marks the results that must also be captured with the settings of the base, and adds those that are left out. @param
 * addressOf returns the address of a page by its path
 */
export async function insertLooks(
  db: Db,
  { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>,
  { again, leftOut }: Looks,
  addressOf: (path: string) => string,
): Promise<{ paths: string[]; added: number }> {
  await db.raw(
    `update page_results set base_state = 'DUE'
     from jsonb_to_recordset(?::jsonb) as due (path text, viewport text)
     where test_run_id = ? and page_results.path = due.path and page_results.viewport = due.viewport`,
    [JSON.stringify(again), id],
  );
  const paths = await readValues(
    db,
    z.string(),
    `insert into page_results (test_run_id, position, url, path, viewport, left_out)
     select :runId::uuid, coalesce((select max(position) from page_results where test_run_id = :runId), 0) + row_number() over (),
            wanted.url, site_pages.path, wanted.viewport, true
     from jsonb_to_recordset(:leftOut::jsonb) as wanted (path text, viewport text, url text)
     join site_pages on site_pages.test_suite_id = :suiteId and site_pages.path = wanted.path
     on conflict do nothing
     returning path`,
    {
      runId: id,
      suiteId: testSuiteId,
      leftOut: JSON.stringify(leftOut.map((page) => ({ ...page, url: addressOf(page.path) }))),
    },
  );
  return { paths: [...new Set(paths)], added: paths.length };
}

/** There is no screenshot with the settings of the base. */
const MISSING_SQL = "(base_state is not distinct from 'FAILED' or (left_out and current_file is null))";

const looksOf = (db: Db, runId: string) =>
  db('page_results')
    .where({ test_run_id: runId })
    .whereRaw('(left_out or base_state is not null or base_status is not null)');

/** Results that fail with the settings of the base come first, then those that could not be captured with them. */
export async function findLooks(db: Db, runId: string, limit: number): Promise<Look[]> {
  return looksOf(db, runId)
    .orderByRaw(`(base_status = 'FAIL') desc nulls last, ${MISSING_SQL} desc, base_score desc nulls last, position`)
    .limit(limit)
    .select(LOOK_COLUMNS);
}

export async function countLooks(db: Db, runId: string): Promise<LookCounts> {
  const [row] = await looksOf(db, runId).select(
    computed(db, 'failing', 'bigint', "count(*) filter (where base_status = 'FAIL')"),
    computed(
      db,
      'passing',
      'bigint',
      `count(*) filter (where base_status is distinct from 'FAIL' and not ${MISSING_SQL})`,
    ),
    computed(db, 'missing', 'bigint', `count(*) filter (where ${MISSING_SQL})`),
  );
  return row ?? { failing: 0, passing: 0, missing: 0 };
}

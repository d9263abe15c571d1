import type { Db } from '../../db/database.ts';
import { listDifferences } from '../../suites/config-file/settings-difference.ts';
import { appendLogs } from '../log/log-store.ts';
import { saveSettingsChange } from './settings-change-store.ts';
import type { SettingsDraft } from './settings-change.ts';

/** Maximum number of differences in a line of the log. */
const LOGGED = 20;

/**
 * Stores what a pull request changes in the settings of its suite, replacing what was stored before. An approval of
 * another loosening no longer counts.
 */
export async function keepSettingsChange(trx: Db, runId: string, draft: SettingsDraft): Promise<void> {
  await saveSettingsChange(trx, runId, draft);
  const message = `Settings: ${listDifferences(draft.differences, LOGGED).join('; ') || 'no changes'}`;
  const type = draft.hash === null ? 'INFO' : 'WARNING';
  await appendLogs(trx, runId, [{ type, message, metadata: { code: 'settings_changed' } }]);
}

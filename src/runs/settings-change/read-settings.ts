import { findAccountById } from '../../auth/find-account.ts';
import type { UserSummary } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { listDifferences, type SettingsDifference } from '../../suites/config-file/settings-difference.ts';
import { appendLogs } from '../log/log-store.ts';
import type { FoundRun, ReviewState, Run } from '../run.ts';
import { countLooks, findLooks, findSettingsChange, saveSettingsChange } from './settings-change-store.ts';
import { settingsReview, type Look, type LookCounts, type SettingsDraft } from './settings-change.ts';

/** What a pull request changes in the settings of its suite, as people see it. */
export type SettingsReport = {
  /** Loosening differences come first. */
  differences: SettingsDifference[];
  review: ReviewState;
  /** A hash of what loosens. Null: nothing. */
  hash: string | null;
  /** Null: nobody did, or the account was deleted. */
  approvedBy: UserSummary | null;
  approvedAt: Date | null;
  carriedOver: boolean;
  /** What the settings of the base show: the first of them, and how many there are. */
  looks: Look[];
  counts: LookCounts;
  /** How many were too many to be captured with the settings of the base. */
  notCaptured: number;
};

type Reviewed = Pick<Run, 'id' | 'settingsHash' | 'settingsApprovedAt'>;

/** What loosens and waits for an approval, and its hash. Null: nothing. */
export async function readLoosening(
  { db }: Pick<Context, 'db'>,
  run: Reviewed,
): Promise<{ hash: string; loosening: SettingsDifference[] } | null> {
  const { settingsHash: hash } = run;
  const change = hash === null || settingsReview(run) !== 'PENDING' ? null : await findSettingsChange(db, run.id);
  if (hash === null || change === null) return null;
  return { hash, loosening: change.differences.filter(({ effect }) => effect === 'LOOSENS') };
}

/** Null: it changes no settings, or the run has no pull request. */
export async function readSettings(
  { db }: Pick<Context, 'db'>,
  run: Reviewed & Pick<FoundRun, 'changesSettings' | 'settingsApprovedById' | 'settingsCarriedOver'>,
  { looks }: { looks: number },
): Promise<SettingsReport | null> {
  const change = run.changesSettings ? await findSettingsChange(db, run.id) : null;
  // The suite may say the same.
  if (change === null || change.differences.length === 0) return null;
  const by = run.settingsApprovedById;
  return {
    differences: change.differences,
    review: settingsReview(run),
    hash: run.settingsHash,
    approvedBy: by === null ? null : await findAccountById({ db }, by),
    approvedAt: run.settingsApprovedAt,
    carriedOver: run.settingsCarriedOver,
    looks: looks === 0 ? [] : await findLooks(db, run.id, looks),
    counts: await countLooks(db, run.id),
    notCaptured: change.notCaptured,
  };
}

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

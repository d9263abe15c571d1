import type { Context } from '../../context.ts';
import type { SuiteConfig } from '../../suites/config/suite-config.ts';
import type { Run } from '../run.ts';
import { findSettingsChange } from './settings-change-store.ts';

/** The configuration of the base, if the run's pull request loosens it. Null: the run's configuration is not looser. */
export async function findBaseConfig(
  { db }: Pick<Context, 'db'>,
  { id, settingsHash }: Pick<Run, 'id' | 'settingsHash'>,
): Promise<SuiteConfig | null> {
  return settingsHash === null ? null : ((await findSettingsChange(db, id))?.base ?? null);
}

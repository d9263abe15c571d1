import type { SelectedRow } from '../../db/query.ts';
import type { FoundDifference, SettingsDifference } from '../../suites/config-file/settings-difference.ts';
import type { Place } from '../../suites/config/page-rule.ts';
import type { SuiteConfig, SuiteConfigInput } from '../../suites/config/suite-config.ts';
import type { ReviewState, Run } from '../run.ts';

declare module '../../db/json.ts' {
  interface JsonColumns {
    'settings_changes.differences': SettingsDifference[];
    'settings_changes.own': OwnSettings;
    'settings_changes.base_config': SuiteConfigInput;
  }
}

/** What a pull request changes, compared with the commit where its branch began. */
type OwnSettings = {
  config: SuiteConfigInput;
  /** Settings that only the file has. */
  file: FoundDifference[];
};

/** What a pull request changes in the settings of its suite. */
export type SettingsChange = {
  /** Loosening differences come first. */
  differences: SettingsDifference[];
  own: OwnSettings;
  /** The suite's configuration without it. */
  base: SuiteConfig;
  /** How many results were not captured with it, because there are too many. */
  notCaptured: number;
};

/** Additional captures of a run, to show what the settings of the base would have shown. */
export type Looks = {
  /** Captured with both settings. */
  again: Place[];
  /** Captured with the settings of the base, because the pull request leaves them out. */
  leftOut: Place[];
  /** How many more there would be. */
  notCaptured: number;
};

/** `looks` null: they stay as they are. */
export type SettingsDraft = Omit<SettingsChange, 'notCaptured'> & { hash: string | null; looks: Looks | null };

export const LOOK_COLUMNS = [
  'id',
  'path',
  'viewport',
  'status',
  'diff_score',
  'approved',
  'left_out',
  'base_state',
  'base_status',
  'base_score',
  'error',
] as const;
/** What a result shows with the settings of the base, or that it was not captured with them. */
export type Look = SelectedRow<'page_results', typeof LOOK_COLUMNS>;

export type LookCounts = {
  /** Results that the settings of the base would have failed. */
  failing: number;
  passing: number;
  /** They could not be captured with them. */
  missing: number;
};

/** Whether what the pull request loosens needs an approval, and has one. It is a change like any other. */
export function settingsReview({
  settingsHash,
  settingsApprovedAt,
}: Pick<Run, 'settingsHash' | 'settingsApprovedAt'>): ReviewState {
  if (settingsHash === null) return 'NOT_REQUIRED';
  return settingsApprovedAt === null ? 'PENDING' : 'APPROVED';
}

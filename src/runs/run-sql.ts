import { withoutNulls } from '../db/not-null.ts';
import { qualified } from '../db/qualified.ts';
import type { SelectedRow } from '../db/query.ts';
import { effectiveConfig } from '../suites/config/suite-config.ts';
import { DECIDABLE, IN_FLIGHT, type Run, type RunSummary } from './run.ts';

/** The columns of a run in a list, which does not show its configuration. */
export const RUN_SUMMARY_COLUMNS = [
  ...qualified('test_runs', [
    'id',
    'number',
    'trigger',
    'token_name',
    'git_title',
    'git_message',
    'test_suite_id',
    'status',
    'run_type',
    'review_state',
    'target_base_url',
    'build_id',
    'git_pr_number',
    'git_head_sha',
    'git_branch',
    'git_base_branch',
    'git_base_number',
    'git_preview_url',
    'git_check_run_id',
    'git_installation_id',
    'git_enqueued',
    'git_config_change',
    'verdict_number',
    'section_counts',
    'approved_results',
    'renders_all',
    'settings_hash',
    'settings_approved_at',
    'settings_carried_over',
    'started_at',
    'ended_at',
    'metadata',
    'created_at',
    'updated_at',
  ]),
  'test_runs.started_by as started_by_id',
  'test_runs.cancelled_by as cancelled_by_id',
  'test_runs.settings_approved_by as settings_approved_by_id',
  'test_runs.open_requests as change_requests',
  'test_runs.git_merged as is_merged',
  'test_runs.git_gated as is_gated',
] as const;

/** The columns of a `Run`. */
export const RUN_COLUMNS = [...RUN_SUMMARY_COLUMNS, 'test_runs.config'] as const;

export function toRunSummary(selected: SelectedRow<'test_runs', typeof RUN_SUMMARY_COLUMNS>): RunSummary {
  const {
    gitPrNumber: prNumber,
    gitTitle: title,
    gitHeadSha: headSha,
    gitMessage: message,
    gitBranch: branch,
    gitBaseBranch: baseBranch,
    gitBaseNumber: basePullRequest,
    gitPreviewUrl: previewUrl,
    gitCheckRunId: checkRunId,
    gitInstallationId: installationId,
    gitEnqueued: enqueued,
    gitConfigChange: configChange,
    ...run
  } = selected;
  const commit = withoutNulls({ prNumber, title, headSha, message });
  if (run.runType === 'MANUAL') return { ...run, git: null, merged: headSha === null ? null : commit };
  const preview = { previewUrl, checkRunId, installationId, enqueued, configChange };
  const git = { ...commit, ...withoutNulls({ branch, baseBranch, basePullRequest, ...preview }) };
  return { ...run, git, merged: null };
}

/** In runs from before an upgrade, newer configuration fields have their defaults. */
export function toRun({ config, ...summary }: SelectedRow<'test_runs', typeof RUN_COLUMNS>): Run {
  return { ...toRunSummary(summary), config: effectiveConfig(config) };
}

const quoted = (statuses: readonly string[]) => statuses.map((status) => `'${status}'`).join(', ');

/** The SQL form of `isInFlight`, for a status column. */
export function inFlightSql(column: string): string {
  return `${column} in (${quoted(IN_FLIGHT)})`;
}

/** The SQL form of `isDecidable`. */
export function decidableSql(column: string): string {
  return `${column} in (${quoted(DECIDABLE)})`;
}

/** True when the run's repository (in lower case) is still linked to its suite; null when the suite has no link. */
export const IS_STILL_LINKED_SQL = `(lower(test_suites.codehost_owner) = test_runs.git_owner
  and lower(test_suites.codehost_repo) = test_runs.git_repo)`;

/**
 * The installation to use: the suite's while it is linked to the repository, because a reinstalled App has a new id.
 */
export const INSTALLATION_ID_SQL = `(case when ${IS_STILL_LINKED_SQL} then test_suites.codehost_installation_id
  else test_runs.git_installation_id end)`;

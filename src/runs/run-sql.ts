import { DECIDABLE, IN_FLIGHT } from './run.ts';

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

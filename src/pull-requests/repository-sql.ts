/** A run's repository, which is kept in lower case, is still the one that its suite is linked to; null when it has no link. */
export const IS_STILL_LINKED_SQL = `(lower(test_suites.codehost_owner) = test_runs.git_owner
  and lower(test_suites.codehost_repo) = test_runs.git_repo)`;

/** The installation to speak for: the suite's while it is linked to the repository, as the App may be installed anew. */
export const INSTALLATION_ID_SQL = `(case when ${IS_STILL_LINKED_SQL} then test_suites.codehost_installation_id
  else test_runs.git_installation_id end)`;

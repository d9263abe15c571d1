/** A suite is linked to the repository `owner`, `repo` (the two bindings). GitHub's names do not depend on case. */
export const LINKED_TO_SQL =
  '(lower(test_suites.codehost_owner) = lower(?) and lower(test_suites.codehost_repo) = lower(?))';

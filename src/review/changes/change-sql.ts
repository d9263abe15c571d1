import { CHANGED_SQL } from '../../runs/results/result-sql.ts';

/** A change is decided with its group, or with its result. Drift needs no decision. */
export const PENDING_SQL =
  '(not page_results.approved and result_changes.approved_at is null and not result_changes.drift)';

/** It needs a decision, and nobody has made one yet. */
export const UNDECIDED_CHANGE_SQL = `(${PENDING_SQL} and not page_results.changes_requested)`;

/** The changes of a run's results that hold its gate. */
export const IN_RUN_SQL = `from result_changes join page_results on page_results.id = result_changes.page_result_id
  where result_changes.test_run_id = :runId and not result_changes.informs and ${CHANGED_SQL}`;

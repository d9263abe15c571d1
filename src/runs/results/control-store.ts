import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import { RESULT_COLUMNS } from './result-sql.ts';
import type { PageResult } from './result.ts';

/** The results of a page that wait for a control screenshot. */
export async function findDueControls(db: Db, runId: string, path: string): Promise<PageResult[]> {
  return db('page_results')
    .where({ test_run_id: runId, path, status: 'PENDING', control_state: 'DUE' })
    .orderBy('position')
    .select(RESULT_COLUMNS);
}

/** How many control screenshots of the run were taken, and how many could not be. */
export async function countControls(db: Db, runId: string): Promise<{ taken: number; failed: number }> {
  const row = await db('page_results')
    .where({ test_run_id: runId })
    .first(
      computed(db, 'taken', 'bigint', "count(*) filter (where control_state = 'TAKEN')"),
      computed(db, 'failed', 'bigint', "count(*) filter (where control_state = 'FAILED')"),
    );
  return row ?? { taken: 0, failed: 0 };
}

import type { Knex } from 'knex';
import { takeNumber } from '../../src/runs/run-store.ts';

/** The same rows of `test_runs`, which get what their insert gets from the suite. */
export async function numberRuns<T extends { test_suite_id: string }>(db: Knex, rows: readonly T[]) {
  const numbered: (T & Awaited<ReturnType<typeof takeNumber>>)[] = [];
  for (const row of rows) numbered.push({ ...(await takeNumber(db, row.test_suite_id)), ...row });
  return numbered;
}

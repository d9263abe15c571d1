import type { PageResult } from '../runs/result.ts';
import type { Run } from '../runs/run.ts';

/**
 * Whether an approval has anything to say about the result: it changed, or it is new and no seed has made it a baseline
 * already, as happens in a MANUAL run (contract 7.2, 7.4). `approvable-sql.ts` asks the database the same.
 */
export function isApprovable(
  run: Pick<Run, 'runType'>,
  result: Pick<PageResult, 'approved' | 'currentFile' | 'status' | 'isNew'>,
): boolean {
  if (result.approved || result.currentFile === null) return false;
  if (result.status === 'FAIL') return true;
  return result.status === 'PASS' && result.isNew && run.runType !== 'MANUAL';
}

import { isChanged, type PageResult } from '../../runs/results/result.ts';
import type { Run } from '../../runs/run.ts';

/**
 * Whether the result can be approved: it changed, or it is new and not yet a baseline. In a MANUAL run a new screenshot
 * becomes a baseline at once (docs/rules.md, The gate). Keep this in line with `approvable-sql.ts`.
 */
export function isApprovable(
  run: Pick<Run, 'runType'>,
  result: Pick<PageResult, 'approved' | 'currentFile' | 'status' | 'cause' | 'isNew'>,
): boolean {
  if (result.approved || result.currentFile === null) return false;
  if (isChanged(result)) return true;
  return result.status === 'PASS' && result.isNew && run.runType !== 'MANUAL';
}

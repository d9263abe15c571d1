import type { Db } from '../../db/database.ts';
import { setCauseToChange } from './result-store.ts';

/** Makes a FAIL result hold the gate. @returns false when it does already, or is no FAIL. */
export async function countResultAsChange(trx: Db, resultId: string): Promise<boolean> {
  return setCauseToChange(trx, resultId);
}

import type { Db } from '../db/database.ts';
import { takeNumber } from './run-store.ts';

/** The columns that a new run gets from its suite, for rooms that insert runs of their own. */
export const numberRun = async (trx: Db, suiteId: string): Promise<{ number: number; owner_id: string }> =>
  takeNumber(trx, suiteId);

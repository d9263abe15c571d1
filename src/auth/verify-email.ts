import type { Db } from '../db/database.ts';
import { hasVerifiedEmail, markEmailVerified } from './user-store.ts';

/** Whether somebody proved that the account's address is theirs. */
export async function isEmailVerified(db: Db, userId: string): Promise<boolean> {
  return hasVerifiedEmail(db, userId);
}

/** Its owner read a mail to the address. */
export async function verifyEmail(db: Db, userId: string, at: Date): Promise<void> {
  await markEmailVerified(db, userId, at);
}

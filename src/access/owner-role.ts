import { conflict } from '../errors.ts';
import type { SharedSuite } from './grant.ts';

/** The owner has no grant, so a caller can only name them by the account's own id (docs/rules.md, Who may do what). */
export function refuseOwner(suite: SharedSuite, grantId: string): void {
  if (grantId === suite.userId)
    throw conflict('The role of the owner cannot be changed or revoked', 'owner_role_fixed');
}

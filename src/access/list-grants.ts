import { findAccountById } from '../auth/find-account.ts';
import type { UserSummary } from '../auth/user.ts';
import type { Context } from '../context.ts';
import type { Authorized } from './authorized.ts';
import { listSuiteGrants } from './grant-store.ts';
import type { Grant, SharedSuite } from './grant.ts';

/** Who has access to a suite: the owner, who has no grant, and the grants, oldest first. */
export type SuiteSharing = { owner: UserSummary | null; grants: Grant[] };

export async function listGrants(ctx: Pick<Context, 'db'>, suite: SharedSuite & Authorized): Promise<SuiteSharing> {
  const [owner, grants] = await Promise.all([findAccountById(ctx, suite.userId), listSuiteGrants(ctx.db, suite)]);
  return { owner, grants };
}

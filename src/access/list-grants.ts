import { findAccountById } from '../auth/find-account.ts';
import type { UserSummary } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { cutList } from '../db/list-part.ts';
import type { Authorized } from './authorized.ts';
import { listSuiteGrants } from './grant-store.ts';
import type { Grant, GrantPlace, PartOfGrants, SharedSuite } from './grant.ts';

/** Who has access to a suite: the owner, who has no grant, and the grants, oldest first. `next`: see `Listed`. */
export type SuiteSharing = { owner: UserSummary | null; grants: Grant[]; next: GrantPlace | null };

export async function listGrants(
  ctx: Pick<Context, 'db'>,
  suite: SharedSuite & Authorized,
  part: PartOfGrants,
): Promise<SuiteSharing> {
  const [owner, found] = await Promise.all([
    findAccountById(ctx, suite.userId),
    listSuiteGrants(ctx.db, suite, { ...part, limit: part.limit + 1 }),
  ]);
  const { items, next } = cutList(found, part.limit, ({ place }) => place);
  return { owner, grants: items.map(({ place: _place, ...grant }) => grant), next };
}

import { shareCounts } from '../access/count-shares.ts';
import type { Permission } from '../access/role.ts';
import { accessTo, requirePermission } from '../access/viewer-access.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { findOwners, findSuite } from './suite-store.ts';
import type { Suite, SuiteForViewer } from './suite.ts';

/** Owner, share count and the viewer's own access for each, with no query per suite. Suites not theirs are dropped. */
export async function withAccess(ctx: Pick<Context, 'db'>, viewer: Viewer, suites: Suite[]): Promise<SuiteForViewer[]> {
  // One after another: `db` may be a transaction, and that is one connection.
  const accesses = await accessTo(ctx.db, viewer.id, suites);
  const counts = await shareCounts(ctx.db, suites);
  const owners = await findOwners(ctx.db, suites);
  return suites.flatMap((suite) => {
    const access = accesses.get(suite.id);
    if (access === undefined) return [];
    return [{ ...suite, owner: owners.get(suite.userId) ?? null, access, shareCount: counts.get(suite.id) ?? 0 }];
  });
}

/**
 * Loads and authorises in one step.
 * @throws AppError not_found when there is no such suite or the viewer has no access to it; forbidden when their role
 * does not carry the permission (contract 4).
 */
export async function getSuiteFor(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: Permission,
): Promise<SuiteForViewer> {
  const suite = await findSuite(ctx.db, id);
  if (suite === null) throw notFound('Suite');
  const [seen] = await withAccess(ctx, viewer, [suite]);
  if (seen === undefined) throw notFound('Suite');
  requirePermission(seen.access, permission);
  return seen;
}

/** Whether there still is such a suite, whoever may see it. */
export async function isSuite({ db }: Pick<Context, 'db'>, id: string): Promise<boolean> {
  return (await findSuite(db, id)) !== null;
}

/** Whether the viewer may see the suite at all (images). */
export async function mayReadSuite(ctx: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<boolean> {
  const suite = await findSuite(ctx.db, id);
  return suite !== null && (await accessTo(ctx.db, viewer.id, [suite])).has(id);
}

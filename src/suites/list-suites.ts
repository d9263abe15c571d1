import type { SuiteScope } from '../access/role.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { withAccess } from './read-suite.ts';
import { findSuitesOf } from './suite-store.ts';
import type { SuiteForViewer, SuiteKind } from './suite.ts';

/** The viewer's suites, oldest first. Single pages are left out unless asked for (spec 4). */
export async function listSuites(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  filter: { kind?: SuiteKind | undefined; scope?: SuiteScope | undefined },
): Promise<SuiteForViewer[]> {
  const suites = await findSuitesOf(ctx.db, viewer.id, filter.scope ?? 'ALL', filter.kind ?? 'SUITE');
  return withAccess(ctx, viewer, suites);
}

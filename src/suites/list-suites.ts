import type { SuiteScope } from '../access/role.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { findSuitesFor } from './suite-for-viewer-store.ts';
import type { SuiteForViewer, SuiteKind } from './suite.ts';

export type SuiteFilter = { kind?: SuiteKind | undefined; scope?: SuiteScope | undefined };

/** The viewer's suites, oldest first. Single pages are left out unless asked for (spec 4). */
export async function listSuites(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  { kind = 'SUITE', scope = 'ALL' }: SuiteFilter,
): Promise<SuiteForViewer[]> {
  return findSuitesFor(db, viewer.id, scope, kind);
}

import type { SuiteScope } from '../access/role.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { cutList, type Listed, type ListPart, type TimePlace } from '../db/list-part.ts';
import { countSuitesFor, findSuitesByName, findSuitesFor } from './suite-list-store.ts';
import type { SuiteForViewer, SuiteKind } from './suite.ts';

export type SuiteFilter = { kind?: SuiteKind | undefined; scope?: SuiteScope | undefined };

const complete = ({ kind = 'SUITE', scope = 'ALL' }: SuiteFilter) => ({ kind, scope });

/** The viewer's suites, oldest first. Single pages are left out unless asked for. */
export async function listSuites(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  filter: SuiteFilter,
  { limit, after }: ListPart<TimePlace>,
): Promise<Listed<SuiteForViewer, TimePlace>> {
  const found = await findSuitesFor(db, viewer.id, complete(filter), { limit: limit + 1, after });
  return cutList(found, limit, ({ place }) => place);
}

/** One page of the viewer's suites by name, for people. `total` counts all of them. */
export async function listSuitesByName(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  filter: SuiteFilter,
  part: { limit: number; offset: number },
): Promise<{ suites: SuiteForViewer[]; total: number }> {
  const suites = await findSuitesByName(db, viewer.id, complete(filter), part);
  const isWhole = part.offset === 0 && suites.length < part.limit;
  return { suites, total: isWhole ? suites.length : await countSuitesFor(db, viewer.id, complete(filter)) };
}

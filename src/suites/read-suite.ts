import { authorize, isWithinToken, requireScope, requireWithinToken } from '../access/authorized.ts';
import type { Permission, SuiteScope } from '../access/role.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { cutList, type Listed, type ListPart, type TimePlace } from '../db/list-part.ts';
import { forbidden, notFound } from '../errors.ts';
import { countSuitesFor, findSuiteFor, findSuitesByName, findSuitesFor, isReadable } from './suite-for-viewer-store.ts';
import { findSuite } from './suite-store.ts';
import type { SuiteFor, SuiteForViewer, SuiteKind } from './suite.ts';

/**
 * Loads and authorizes a suite in one step, once per request. Readers and use cases take its result as a parameter.
 * @throws AppError not_found when there is no such suite or the viewer has no access to it; forbidden when their role
 * does not carry the permission (docs/rules.md, Who may do what), or their token does not.
 */
export async function getSuiteFor<P extends Permission>(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: P,
): Promise<SuiteFor<P>> {
  requireWithinToken(viewer, id, permission);
  const suite = await findSuiteFor(db, viewer.id, id);
  if (suite === null) throw notFound('Suite');
  if (isStillLinked(viewer, suite)) return authorize(viewer, suite, permission);
  throw forbidden('The suite is no longer linked to the repository of this token', 'token_scope');
}

/** A workflow's token ends with the link that it was given for. */
const isStillLinked = ({ within }: Viewer, { repositoryId }: SuiteForViewer) =>
  within?.workflow === undefined || within.workflow.repositoryId === repositoryId;

/**
 * Something that was found by its id alone, with its suite. What the viewer may not read is reported as not found, just
 * like what does not exist. @param what its name in the error message.
 * @throws AppError not_found, forbidden.
 */
export async function getWithSuite<T extends { testSuiteId: string }, P extends Permission>(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  found: T | null,
  { what, permission }: { what: string; permission: P },
): Promise<{ found: T; suite: SuiteFor<P> }> {
  requireScope(viewer, permission);
  if (found === null || !isWithinToken(viewer, found.testSuiteId)) throw notFound(what);
  const suite = await findSuiteFor(db, viewer.id, found.testSuiteId);
  if (suite === null || !isStillLinked(viewer, suite)) throw notFound(what);
  return { found, suite: authorize(viewer, suite, permission) };
}

/** Whether the suite still exists. Does not check who may see it. */
export async function isSuite({ db }: Pick<Context, 'db'>, id: string): Promise<boolean> {
  return (await findSuite(db, id)) !== null;
}

/** Whether the viewer may see the suite at all (images). @throws AppError forbidden `token_scope` */
export async function mayReadSuite({ db }: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<boolean> {
  requireWithinToken(viewer, id, 'suite.read');
  if (viewer.within?.workflow === undefined) return isReadable(db, viewer.id, id);
  const suite = await findSuiteFor(db, viewer.id, id);
  return suite !== null && isStillLinked(viewer, suite);
}

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

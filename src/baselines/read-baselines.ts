import { isDeepStrictEqual } from 'node:util';
import type { Permission } from '../access/role.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { cutList, type Listed, type ListPart } from '../db/list-part.ts';
import { notFound } from '../errors.ts';
import { getWithSuite } from '../suites/read-suite.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { countBaselines, findBaseline, findBaselines } from './baseline-store.ts';
import {
  mergeMaking,
  type Baseline,
  type BaselinePlace,
  type BaselineVersion,
  type BaselineVersionEvent,
  type EventPlace,
  type HistoryPart,
  type KnownMaking,
  type Making,
  type VersionPlace,
} from './baseline.ts';
import { findEvents, findMaking, findSuiteVersions, findVersions, keepMaking } from './version-store.ts';

/** A later screenshot has the same bytes as this baseline: adds what is known about how that one was made. */
export async function confirmMaking(
  db: Db,
  baseline: Pick<Baseline, 'currentVersionId' | keyof KnownMaking>,
  later: KnownMaking,
): Promise<void> {
  const { currentVersionId, atRest, captureWay, manifestFile, heardFile } = baseline;
  const before = { atRest, captureWay, manifestFile, heardFile };
  const known = mergeMaking(before, later);
  if (!isDeepStrictEqual(known, before)) await keepMaking(db, currentVersionId, known);
}

const authorized: unique symbol = Symbol('authorized');

/** A version that the viewer may use, with its suite. Only `getVersionFor` and `versionOfSuite` make it. */
export type VersionFor<P extends Permission = Permission> = BaselineVersion & {
  readonly suite: SuiteFor<P>;
  readonly [authorized]: true;
};

async function findVersion({ db }: Pick<Context, 'db'>, id: string): Promise<BaselineVersion | null> {
  const [version] = await findVersions(db, [id]);
  return version ?? null;
}

/** @throws AppError not_found, also for a version of a suite that the viewer may not read; forbidden. */
export async function getVersionFor<P extends Permission>(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: P,
): Promise<VersionFor<P>> {
  const asked = { what: 'Baseline version', permission };
  const { found, suite } = await getWithSuite(ctx, viewer, await findVersion(ctx, id), asked);
  return { ...found, suite, [authorized]: true };
}

/** @throws AppError not_found, also for a version of another suite. */
export async function readVersion<P extends Permission>(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor<P>,
  id: string,
): Promise<VersionFor<P>> {
  return versionOfSuite(suite, await findVersion(ctx, id));
}

/** @throws AppError not_found when the version is of another suite. */
function versionOfSuite<P extends Permission>(suite: SuiteFor<P>, version: BaselineVersion | null): VersionFor<P> {
  if (version?.testSuiteId !== suite.id) throw notFound('Baseline version');
  return { ...version, suite, [authorized]: true };
}

/**
 * Two versions to compare. Usually both are of one suite, which is then authorized once.
 * @throws AppError not_found, also for a version of a suite that the viewer may not read.
 */
export async function getVersionPairFor(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  { fromVersionId, toVersionId }: { fromVersionId: string; toVersionId: string },
): Promise<{ from: VersionFor; to: VersionFor }> {
  const from = await getVersionFor(ctx, viewer, fromVersionId, 'suite.read');
  const version = await findVersion(ctx, toVersionId);
  if (version?.testSuiteId === from.suite.id) return { from, to: versionOfSuite(from.suite, version) };
  return { from, to: await getVersionFor(ctx, viewer, toVersionId, 'suite.read') };
}

/** The suite's current baselines, by path and viewport. */
export async function listBaselines(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  { limit, after }: ListPart<BaselinePlace>,
): Promise<Listed<Baseline, BaselinePlace>> {
  const found = await findBaselines(db, suite.id, { limit: limit + 1, after });
  return cutList(found, limit, ({ path, viewport }) => [path, viewport]);
}

/** The first of the suite's current baselines, and how many there are. */
export async function readFirstBaselines(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  limit: number,
): Promise<{ baselines: Baseline[]; total: number }> {
  const baselines = await findBaselines(db, suite.id, { limit, after: null });
  return { baselines, total: baselines.length < limit ? baselines.length : await countBaselines(db, suite.id) };
}

/** @throws AppError not_found, also for a baseline of a suite that the viewer may not read. */
export async function getBaselineFor(ctx: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<Baseline> {
  const asked = { what: 'Baseline', permission: 'suite.read' } as const;
  return (await getWithSuite(ctx, viewer, await findBaseline(ctx.db, id), asked)).found;
}

/** Newest first within each path and viewport. */
export async function listVersions(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  filter: { path?: string | undefined; viewport?: string | undefined },
  { limit, after }: ListPart<VersionPlace>,
): Promise<Listed<BaselineVersion, VersionPlace>> {
  const found = await findSuiteVersions(db, suite.id, filter, { limit: limit + 1, after });
  return cutList(found, limit, ({ path, viewport, version }) => [path, viewport, version]);
}

/** A page's timeline, newest first. */
export async function readPageHistory(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  { path }: { path: string },
  part: HistoryPart,
): Promise<Listed<BaselineVersionEvent, EventPlace>> {
  const found = await findEvents(db, suite.id, path, { ...part, limit: part.limit + 1 });
  return cutList(found, part.limit, ({ place }) => place);
}

const UNKNOWN: Making = {
  captureEngine: null,
  compareEngine: null,
  atRest: false,
  captureWay: null,
  elementsFile: null,
  manifestFile: null,
  heardFile: null,
};

/** How a version's screenshot was made; kept when the version is restored. Nothing is known of none. */
export async function readMaking({ db }: Pick<Context, 'db'>, versionId: string | null): Promise<Making> {
  const making = versionId === null ? null : await findMaking(db, versionId);
  return making ?? UNKNOWN;
}

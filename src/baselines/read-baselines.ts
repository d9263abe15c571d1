import type { Permission } from '../access/role.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { findBaseline, findBaselines, findBaselinesOfPaths } from './baseline-store.ts';
import type { Baseline, BaselineVersion, BaselineVersionEvent, HistoryPart, Making } from './baseline.ts';
import {
  findMaking,
  findEvents,
  findNewestVersions,
  findVersions,
  findSuiteVersions,
  hasPromotionSince,
} from './version-store.ts';

const authorized: unique symbol = Symbol('authorized');

/** A version that the viewer may use, with its suite. Only `getVersionFor` and `versionOfSuite` make it. */
export type VersionFor<P extends Permission = Permission> = BaselineVersion & {
  readonly suite: SuiteFor<P>;
  readonly [authorized]: true;
};

async function findVersion({ db }: Pick<Context, 'db'>, id: string): Promise<BaselineVersion> {
  const [version] = await findVersions(db, [id]);
  if (version === undefined) throw notFound('Baseline version');
  return version;
}

/** @throws AppError not_found, also for a version of a suite that the viewer may not read; forbidden. */
export async function getVersionFor<P extends Permission>(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: P,
): Promise<VersionFor<P>> {
  const version = await findVersion(ctx, id);
  const suite = await getSuiteFor(ctx, viewer, version.testSuiteId, permission);
  return { ...version, suite, [authorized]: true };
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
export function versionOfSuite<P extends Permission>(suite: SuiteFor<P>, version: BaselineVersion): VersionFor<P> {
  if (version.testSuiteId !== suite.id) throw notFound('Baseline version');
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
  const isOfSameSuite = version.testSuiteId === from.suite.id;
  const suite = isOfSameSuite ? from.suite : await getSuiteFor(ctx, viewer, version.testSuiteId, 'suite.read');
  return { from, to: versionOfSuite(suite, version) };
}

/** The suite's current baselines. */
export async function listBaselines({ db }: Pick<Context, 'db'>, suite: SuiteFor): Promise<Baseline[]> {
  return findBaselines(db, suite.id);
}

/** @throws AppError not_found, also for a baseline of a suite that the viewer may not read. */
export async function getBaselineFor(ctx: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<Baseline> {
  const baseline = await findBaseline(ctx.db, id);
  if (baseline === null) throw notFound('Baseline');
  await getSuiteFor(ctx, viewer, baseline.testSuiteId, 'suite.read');
  return baseline;
}

/** Newest first within each path and viewport. */
export async function listVersions(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  filter: { path?: string | undefined; viewport?: string | undefined },
): Promise<BaselineVersion[]> {
  return findSuiteVersions(db, suite.id, filter);
}

/** A page's timeline, newest first. */
export async function readPageHistory(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  { path }: { path: string },
  part: HistoryPart,
): Promise<BaselineVersionEvent[]> {
  return findEvents(db, suite.id, path, part);
}

export type PageBaselines = {
  /** The current version at each viewport. */
  current: BaselineVersion[];
  /** The number of versions by viewport, and in total. */
  counts: Map<string, number>;
  versionCount: number;
};

/** A page's current baseline at each viewport, and how many versions it has. */
export async function readPageBaselines(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  { path }: { path: string },
): Promise<PageBaselines> {
  const found = await findNewestVersions(db, suite.id, path);
  return {
    versionCount: found.reduce((total, { versions }) => total + versions, 0),
    current: found.map(({ versions: _versions, ...version }) => version),
    counts: new Map(found.map(({ viewport, versions }) => [viewport, versions])),
  };
}

/** The baselines that a capture of the page is compared with, by viewport name. */
export async function currentBaselines(db: Db, suiteId: string, path: string): Promise<Map<string, Baseline>> {
  const baselines = await findBaselinesOfPaths(db, suiteId, [path]);
  return new Map(baselines.map((baseline) => [baseline.viewport, baseline]));
}

/** How a version's screenshot was made; kept when the version is restored. */
export async function readMaking(ctx: Pick<Context, 'db'>, versionId: string): Promise<Making> {
  const unknown = { captureEngine: null, compareEngine: null, atRest: false, elementsFile: null };
  return (await findMaking(ctx.db, versionId)) ?? unknown;
}

/**
 * Whether the suite's own site, which looks like this, shows an older version of the baseline and has only not taken up
 * what was promoted from a preview since. Then it has not drifted.
 */
export async function isLagging(
  ctx: Pick<Context, 'db'>,
  suiteId: string,
  site: { path: string; viewport: string; filePath: string },
): Promise<boolean> {
  return hasPromotionSince(ctx.db, suiteId, site);
}

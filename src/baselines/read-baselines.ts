import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { findBaseline, findBaselines, findBaselinesOfPaths } from './baseline-store.ts';
import type { Baseline, BaselineVersion, BaselineVersionEvent } from './baseline.ts';
import { findEngines, findEvents, findVersions, findVersionsOf } from './version-store.ts';

/** The suite's current baselines; the caller has authorised the viewer. */
export async function listBaselines(ctx: Pick<Context, 'db'>, suiteId: string): Promise<Baseline[]> {
  return findBaselines(ctx.db, suiteId);
}

/** @throws AppError not_found, also when the viewer may not read its suite. */
export async function readBaseline(ctx: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<Baseline> {
  const baseline = await findBaseline(ctx.db, id);
  if (baseline === null) throw notFound('Baseline');
  await getSuiteFor(ctx, viewer, baseline.testSuiteId, 'suite.read');
  return baseline;
}

/** Newest first within each path and viewport; the caller has authorised the viewer. */
export async function listVersions(
  ctx: Pick<Context, 'db'>,
  suiteId: string,
  filter: { path?: string | undefined; viewport?: string | undefined },
): Promise<BaselineVersion[]> {
  return findVersionsOf(ctx.db, suiteId, filter);
}

/** A page's timeline, newest first, narrowed to one viewport when given. */
export async function readPageHistory(
  ctx: Pick<Context, 'db'>,
  page: { testSuiteId: string; path: string },
  viewport?: string,
): Promise<{ events: BaselineVersionEvent[]; viewports: string[] }> {
  const all = await findEvents(ctx.db, page.testSuiteId, page.path, undefined);
  const viewports = [...new Set(all.map((event) => event.viewport))].sort();
  return { events: viewport === undefined ? all : all.filter((event) => event.viewport === viewport), viewports };
}

export type PageBaselines = { current: BaselineVersion[]; viewports: string[]; versionCount: number };

/** What a page is held against now, per viewport, and how much history stands behind it. */
export async function readPageBaselines(
  ctx: Pick<Context, 'db'>,
  page: { testSuiteId: string; path: string },
): Promise<PageBaselines> {
  const versions = await findVersionsOf(ctx.db, page.testSuiteId, { path: page.path });
  const newest = new Map<string, BaselineVersion>();
  for (const version of versions) if (!newest.has(version.viewport)) newest.set(version.viewport, version);
  return { current: [...newest.values()], viewports: [...newest.keys()], versionCount: versions.length };
}

/** What a page is captured against: viewport name to the current baseline. */
export async function currentBaselines(db: Db, suiteId: string, path: string): Promise<Map<string, Baseline>> {
  const baselines = await findBaselinesOfPaths(db, suiteId, [path]);
  return new Map(baselines.map((baseline) => [baseline.viewport, baseline]));
}

/**
 * Versions by id, each of a suite that the viewer may read.
 * @throws AppError not_found otherwise.
 */
export async function readVersion(ctx: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<BaselineVersion> {
  const [version] = await findVersions(ctx.db, [id]);
  if (version === undefined) throw notFound('Baseline version');
  await getSuiteFor(ctx, viewer, version.testSuiteId, 'suite.read');
  return version;
}

/** What made a version's picture; kept when the version is restored. */
export async function readEngines(
  ctx: Pick<Context, 'db'>,
  versionId: string,
): Promise<{ captureEngine: string | null; compareEngine: string | null }> {
  return (await findEngines(ctx.db, versionId)) ?? { captureEngine: null, compareEngine: null };
}

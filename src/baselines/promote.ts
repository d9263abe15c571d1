import type { Db } from '../db/database.ts';
import { findBaselinesOfPaths, lockPromotions, pointAt } from './baseline-store.ts';
import type { BaselineVersion, CurrentVersion, Promotion } from './baseline.ts';
import { nextVersion } from './baseline.ts';
import { findPromotedResults, insertVersions } from './version-store.ts';

const BATCH = 500;

const keyOf = (of: { path: string; viewport: string }) => JSON.stringify([of.path, of.viewport]);

async function currentVersions(
  trx: Db,
  suiteId: string,
  promotions: Promotion[],
): Promise<Map<string, CurrentVersion>> {
  const paths = [...new Set(promotions.map((promotion) => promotion.path))];
  const baselines = await findBaselinesOfPaths(trx, suiteId, paths);
  return new Map(
    baselines.map((baseline) => [
      keyOf(baseline),
      { id: baseline.currentVersionId, version: baseline.currentVersion, filePath: baseline.filePath },
    ]),
  );
}

async function promoteBatch(
  trx: Db,
  suite: { id: string; origin: string },
  promotions: Promotion[],
): Promise<BaselineVersion[]> {
  const resultIds = promotions.flatMap((promotion) => promotion.pageResultId ?? []);
  const promoted = await findPromotedResults(trx, resultIds);
  const current = await currentVersions(trx, suite.id, promotions);
  const drafts = promotions
    .filter((promotion) => promotion.pageResultId === null || !promoted.has(promotion.pageResultId))
    .flatMap((promotion) => nextVersion(promotion, current.get(keyOf(promotion)) ?? null) ?? []);
  if (drafts.length === 0) return [];
  const versions = await insertVersions(trx, suite, drafts);
  await pointAt(trx, versions);
  return versions;
}

/**
 * Appends the next version of each key and moves the pointers, in the caller's transaction. Promotions of one suite
 * take turns, so two of one key make two consecutive versions. A page result that has been promoted, and a seed of a
 * key that has a version, append nothing. Each key at most once a call.
 * @returns the versions appended.
 */
export async function promote(
  trx: Db,
  suite: { id: string; origin: string },
  promotions: Promotion[],
): Promise<BaselineVersion[]> {
  if (promotions.length === 0) return [];
  await lockPromotions(trx, suite.id);
  const appended: BaselineVersion[] = [];
  for (let start = 0; start < promotions.length; start += BATCH) {
    appended.push(...(await promoteBatch(trx, suite, promotions.slice(start, start + BATCH))));
  }
  return appended;
}

import { splitIntoBatches } from '../async/batches.ts';
import type { Db } from '../db/database.ts';
import { NAMED_MAX, type Actor } from '../events/event.ts';
import { recordEvent } from '../events/record-event.ts';
import { keepAcknowledged } from '../pages/site-page-store.ts';
import { enqueue } from '../queue/enqueue.ts';
import { findBaselinesOfPaths, lockPromotions, setCurrentVersion } from './baseline-store.ts';
import {
  assertMeasured,
  nextVersion,
  NOTHING_MEASURED,
  pageKey,
  pairKey,
  pairToMeasure,
  type BaselineVersion,
  type CompareSettings,
  type CurrentVersion,
  type Measurements,
  type Promotion,
  type VersionDraft,
} from './baseline.ts';
import { findPromotedResults, insertVersions } from './version-store.ts';

const BATCH = 500;

/** A requested promotion with the current version of its key. */
type Due = { promotion: Promotion; current: CurrentVersion | null };

/** The current versions of these pages, by `pageKey`. */
export async function currentVersions(
  trx: Db,
  suiteId: string,
  pages: readonly { path: string }[],
): Promise<Map<string, CurrentVersion>> {
  const paths = [...new Set(pages.map(({ path }) => path))];
  const baselines = await findBaselinesOfPaths(trx, suiteId, paths);
  return new Map(baselines.map((baseline) => [pageKey(baseline), baseline]));
}

async function findDue(trx: Db, suiteId: string, promotions: Promotion[]): Promise<Due[]> {
  const resultIds = promotions.flatMap((promotion) => promotion.pageResultId ?? []);
  const promoted = await findPromotedResults(trx, resultIds);
  const current = await currentVersions(trx, suiteId, promotions);
  return promotions
    .filter((promotion) => promotion.pageResultId === null || !promoted.has(promotion.pageResultId))
    .map((promotion) => ({ promotion, current: current.get(pageKey(promotion)) ?? null }));
}

/** @throws NotMeasured */
function draftVersions(due: Due[], settings: CompareSettings, measurements: Measurements): VersionDraft[] {
  const measurable = due.map((each) => ({ ...each, pair: pairToMeasure(each.promotion, each.current, settings) }));
  assertMeasured(
    measurable.flatMap(({ pair }) => pair ?? []),
    measurements,
  );
  return measurable.flatMap(({ promotion, current, pair }) => {
    const measured = pair === null ? null : (measurements.scores.get(pairKey(pair)) ?? null);
    return nextVersion(promotion, current, measured) ?? [];
  });
}

/**
 * Adds the next version of each key and moves the pointers, in the caller's transaction. Promotions of one suite run
 * one at a time, so two for one key make two consecutive versions. Nothing is added for a page result that was promoted
 * before, or for the seed of a key that already has a version. A call may contain each key only once. Versions have no
 * gaps (docs/rules.md, Baselines). A job then compares open pull requests with the new versions; for versions that a
 * run seeds, when that run ends. What a person approves acknowledges NEW pages, and is recorded; seeds are told by their run.
 * @param measurements from `inMeasuredTransaction`; without them, a screenshot that was compared with a version other
 * than the one it replaces has no score.
 * @returns the added versions.
 * @throws NotMeasured, for `inMeasuredTransaction`, before anything is written.
 */
export async function promote(
  trx: Db,
  suite: { id: string; origin: string; config: CompareSettings },
  promotions: Promotion[],
  by: Actor,
  measurements: Measurements = NOTHING_MEASURED,
): Promise<BaselineVersion[]> {
  if (promotions.length === 0) return [];
  await lockPromotions(trx, suite.id);
  const due: Due[] = [];
  for (const batch of splitIntoBatches(BATCH, promotions)) due.push(...(await findDue(trx, suite.id, batch)));
  const appended: BaselineVersion[] = [];
  for (const drafts of splitIntoBatches(BATCH, draftVersions(due, suite.config, measurements))) {
    appended.push(...(await insertVersions(trx, suite, drafts)));
  }
  for (const versions of splitIntoBatches(BATCH, appended)) await setCurrentVersion(trx, versions);
  const approved = appended.filter(({ source }) => source !== 'INITIAL');
  await keepAcknowledged(trx, suite.id, [...new Set(approved.map(({ path }) => path))]);
  if (approved.length > 0) await enqueue(trx, 'follow-baselines', { suiteId: suite.id });
  const undo = promotions.some(({ undoneResultId }) => undoneResultId !== undefined);
  await recordPromotion(trx, by, suite.id, approved, { undo });
  return appended;
}

/**
 * Records versions that were added at once: all of them restored, or none.
 * @param undo they are restored because an approval was undone
 */
async function recordPromotion(
  trx: Db,
  actor: Actor,
  suiteId: string,
  versions: readonly BaselineVersion[],
  { undo }: { undo: boolean },
): Promise<void> {
  const [first] = versions;
  if (first === undefined) return;
  const named = versions.slice(0, NAMED_MAX);
  const common = { versions: versions.length, note: first.note };
  if (first.restoredVersion !== null) {
    const pages = named.map(({ path, viewport, version, restoredVersion }) => ({
      path,
      viewport,
      version,
      restored: restoredVersion ?? 0,
    }));
    return recordEvent(trx, actor, {
      kind: 'baseline.restored',
      suiteId,
      details: { ...common, pages, undo },
    });
  }
  const pages = named.map(({ path, viewport, version }) => ({ path, viewport, version }));
  const { source, prNumber: pullRequest, testRunId: runId } = first;
  const details = { ...common, source, pages, pullRequest };
  await recordEvent(trx, actor, {
    kind: 'baseline.promoted',
    suiteId,
    runId,
    details,
  });
}

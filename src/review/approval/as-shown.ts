import { splitIntoBatches } from '../../async/batches.ts';
import { lockPromotions } from '../../baselines/baseline-store.ts';
import { pageKey } from '../../baselines/baseline.ts';
import { currentVersions } from '../../baselines/promote-results.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { hashPicture } from '../../elements/picture.ts';
import { conflict } from '../../errors.ts';
import { findResults } from '../../runs/results/result-store.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { isWholeImage } from '../../storage/read-image-size.ts';
import { namePlace } from '../../text/readable-path.ts';

type Compared = Pick<PageResult, 'currentFile' | 'baselineFile' | 'diffFile' | 'heardKey'>;

/** Names the comparison that a person sees of a result. It changes when the result is compared with another baseline. */
export function lookOf({ currentFile, baselineFile, diffFile, heardKey }: Compared): string {
  return hashPicture(JSON.stringify([currentFile, baselineFile, diffFile, heardKey]));
}

/** By the id of the result. Programs name none. */
export type Looks = ReadonlyMap<string, string>;

/**
 * Nobody approves what they were not shown.
 * @param look how it looked. Undefined: a program does not say
 * @throws AppError conflict `not_as_shown` when the result was compared again since then
 */
export function assertAsShown(result: PageResult, look: string | undefined): void {
  if (look === undefined || look === lookOf(result)) return;
  throw conflict(`${namePlace(result)} was compared again in the meantime. Look at it again`, 'not_as_shown');
}

const BATCH = 500;

/**
 * Nobody replaces a version that they were not shown (docs/rules.md, The gate). One that looks like either side of the
 * comparison was shown.
 * @throws AppError conflict `not_as_shown` when another version was approved since a result was compared
 */
export async function assertReplacesShown(trx: Db, suiteId: string, results: readonly PageResult[]): Promise<void> {
  await lockPromotions(trx, suiteId);
  for (const batch of splitIntoBatches(BATCH, results)) {
    const versions = await currentVersions(trx, suiteId, batch);
    for (const { path, viewport, baselineFile, currentFile } of batch) {
      const current = versions.get(pageKey({ path, viewport }));
      if (current === undefined || [baselineFile, currentFile].includes(current.filePath)) continue;
      const moved = `Version ${current.currentVersion} of ${namePlace({ path, viewport })} was approved after this run`;
      throw conflict(`${moved}. Start another run to compare with it`, 'not_as_shown');
    }
  }
}

const AT_ONCE = 20;

/**
 * Nobody approves or ignores what they were not shown, and a lost screenshot can't be shown.
 * @throws AppError conflict when the screenshot of one of these results is missing from the storage, or cut off there. One
 * that is approved already stays as it is.
 */
export async function assertStored(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  run: { id: string },
  resultIds: string[],
): Promise<void> {
  const results = (await findResults(db, run.id, resultIds)).filter(({ approved }) => !approved);
  for (const batch of splitIntoBatches(AT_ONCE, results)) {
    const isLost = await Promise.all(
      batch.map(async ({ currentFile }) => currentFile !== null && !(await isWholeImage(storage, currentFile))),
    );
    const lost = batch.find((_, at) => isLost[at]);
    if (lost === undefined) continue;
    const what = `The screenshot of ${namePlace(lost)} is no longer in storage`;
    throw conflict(`${what}, so nobody can decide about it. Start a new run to capture it again`, 'screenshot_lost');
  }
}

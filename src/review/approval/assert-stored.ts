import { splitIntoBatches } from '../../async/batches.ts';
import type { Context } from '../../context.ts';
import { conflict } from '../../errors.ts';
import { findResults } from '../../runs/results/result-store.ts';
import { isWholeImage } from '../../storage/read-image-size.ts';
import { namePlace } from '../../text/readable-path.ts';

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

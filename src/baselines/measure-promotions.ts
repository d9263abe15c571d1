import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { NotMeasured, pairKey, type ImagePair, type Measurements, type Scores } from './baseline.ts';

export type MeasureContext = Pick<Context, 'db' | 'storage' | 'log' | 'compareImages'>;

/**
 * When several promotions race for one key, one of them wins each time. More than this many at once are not expected.
 */
const ROUNDS = 20;

/** Null when a screenshot is missing or broken. An approval must not fail because of that. */
async function measurePair({ storage, log, compareImages }: MeasureContext, pair: ImagePair): Promise<number | null> {
  const [before, after] = await Promise.all([storage.get(pair.before), storage.get(pair.after)]);
  if (before === null || after === null) {
    log.warn(pair, 'a new version has no diff score: its screenshot or the previous one is missing from storage');
    return null;
  }
  try {
    return (await compareImages(before, after, { ...pair, images: false })).diffPercentage;
  } catch (error) {
    if (error instanceof AppError) throw error;
    log.warn({ ...pair, err: error }, 'a new version has no diff score: the screenshots cannot be compared');
    return null;
  }
}

/** Measures one pair at a time, as each needs memory for two decoded screenshots. Measures equal pairs only once. */
async function measureInto(scores: Scores, ctx: MeasureContext, pairs: ImagePair[]): Promise<void> {
  for (const pair of pairs) {
    const key = pairKey(pair);
    if (!scores.has(key)) scores.set(key, await measurePair(ctx, pair));
  }
}

/**
 * Runs `work`, which promotes, in its own transaction. A version's score compares it with the version it replaces
 * (docs/rules.md, Baselines), but the current version may have changed since the screenshot was compared. Then the
 * transaction is rolled back, the screenshots are measured outside any transaction, and `work` runs again until nothing
 * changes in between. Usually nothing has changed, so no screenshot is read and no query is added.
 * @param ctx.db must be the pool, as a caller's transaction cannot be restarted.
 * @throws AppError unavailable when screenshots must be measured, and the storage cannot be reached or too many
 * comparisons wait.
 */
export async function inMeasuredTransaction<T>(
  ctx: MeasureContext,
  work: (trx: Db, measurements: Measurements) => Promise<T>,
): Promise<T> {
  const scores: Scores = new Map();
  for (let round = 0; ; round += 1) {
    try {
      return await inTransaction(ctx.db, (trx) => work(trx, { scores, areFinal: round === ROUNDS }));
    } catch (error) {
      if (!(error instanceof NotMeasured)) throw error;
      await measureInto(scores, ctx, error.pairs);
    }
  }
}

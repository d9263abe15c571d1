import { comparePictures } from '../compare/compare-pictures.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { Measurements, PicturePair, Scores } from './measurement.ts';
import { NotMeasured, pairKey } from './measurement.ts';

type MeasureContext = Pick<Context, 'storage' | 'log'>;

/** Of n promotions that race for one key, one wins each round: more than these at one moment are not to be expected. */
const ROUNDS = 20;

/** Null when a picture is missing or broken: that is no reason to refuse what a person has approved. */
async function measurePair({ storage, log }: MeasureContext, pair: PicturePair): Promise<number | null> {
  const [before, after] = await Promise.all([storage.get(pair.before), storage.get(pair.after)]);
  if (before === null || after === null) {
    log.warn(pair, 'a new version has no diff score: its screenshot or the previous one is missing from storage');
    return null;
  }
  try {
    return (await comparePictures(before, after, { threshold: pair.threshold })).diffPercentage;
  } catch (error) {
    log.warn({ ...pair, err: error }, 'a new version has no diff score: the screenshots cannot be compared');
    return null;
  }
}

/** One after another, as each takes two decoded pictures of memory; what several pages share once. */
async function measureInto(scores: Scores, ctx: MeasureContext, pairs: PicturePair[]): Promise<void> {
  for (const pair of pairs) {
    const key = pairKey(pair);
    if (!scores.has(key)) scores.set(key, await measurePair(ctx, pair));
  }
}

/**
 * Runs `work`, which promotes, in a transaction of its own. A version's score is against the version that it replaces
 * (spec 2.8), and that may have moved since the picture was compared: then all is rolled back, the pictures are measured
 * with no transaction open, and `work` is run again, until nothing has moved meanwhile. Where nothing moved, no picture
 * is read and no query is added.
 * @param ctx.db the pool: a caller's transaction could not be begun again.
 * @throws AppError unavailable when the storage cannot be reached and something is to be measured.
 */
export async function inMeasuredTransaction<T>(
  ctx: MeasureContext & Pick<Context, 'db'>,
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

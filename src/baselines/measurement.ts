/** Two pictures by object name, and their suite's colour threshold. Objects never change, so neither does the score. */
export type PicturePair = { before: string; after: string; threshold: number };

/** What is known of pairs, by `pairKey`: the percentage of pixels that differ; null where that cannot be told. */
export type Scores = Map<string, number | null>;

/** What a promotion may go by. Where they are final nobody measures any more: a score that is not there stays null. */
export type Measurements = { scores: Readonly<Scores>; areFinal: boolean };

export const NOTHING_MEASURED: Measurements = { scores: new Map(), areFinal: true };

export function pairKey({ before, after, threshold }: PicturePair): string {
  return JSON.stringify([before, after, threshold]);
}

/** Rolls the transaction back, as pictures are not read inside of one; it is begun again with the pairs measured. */
export class NotMeasured extends Error {
  readonly pairs: PicturePair[];

  constructor(pairs: PicturePair[]) {
    super(`${pairs.length} pictures have not been compared with the versions that they replace`);
    this.name = 'NotMeasured';
    this.pairs = pairs;
  }
}

/** @throws NotMeasured while one of the pairs is neither measured nor given up. */
export function assertMeasured(pairs: PicturePair[], { scores, areFinal }: Measurements): void {
  const left = pairs.filter((pair) => !scores.has(pairKey(pair)));
  if (left.length > 0 && !areFinal) throw new NotMeasured(left);
}

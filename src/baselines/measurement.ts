/** Object names of two images, and how their suite compares. Objects never change, so scores stay valid. */
export type ImagePair = { before: string; after: string } & CompareSettings;

export type CompareSettings = { threshold: number; alignment: boolean };

/** Scores of pairs, by `pairKey`: the percentage of differing pixels; null when a pair cannot be measured. */
export type Scores = Map<string, number | null>;

/** The scores available to a promotion. `areFinal`: no more pairs are measured, and a missing score stays null. */
export type Measurements = { scores: Readonly<Scores>; areFinal: boolean };

export const NOTHING_MEASURED: Measurements = { scores: new Map(), areFinal: true };

export function pairKey({ before, after, threshold, alignment }: ImagePair): string {
  return JSON.stringify([before, after, threshold, alignment]);
}

/** Rolls the transaction back, as images are not read inside one. It restarts when the pairs are measured. */
export class NotMeasured extends Error {
  readonly pairs: ImagePair[];

  constructor(pairs: ImagePair[]) {
    super(`${pairs.length} images have not been compared with the versions that they replace`);
    this.name = 'NotMeasured';
    this.pairs = pairs;
  }
}

/** @throws NotMeasured when a pair has no score yet and the scores are not final. */
export function assertMeasured(pairs: ImagePair[], { scores, areFinal }: Measurements): void {
  const left = pairs.filter((pair) => !scores.has(pairKey(pair)));
  if (left.length > 0 && !areFinal) throw new NotMeasured(left);
}

export type Comparison = {
  /** Percentage of differing pixels of the larger canvas, 0 to 100, rounded to 4 decimals. */
  diffPercentage: number;
  differentPixels: number;
  /** Size of the larger canvas, px. */
  width: number;
  height: number;
  /** A PNG of the larger canvas; null when no pixel differs. */
  diffImage: Buffer | null;
};

import type { Db } from '../db/database.ts';

export type VersionComparison = {
  /** Object name. */
  diffFile: string;
  diffPercentage: number;
  width: number;
  height: number;
};

export type ComparisonKey = { fromVersionId: string; toVersionId: string; threshold: number };

export async function findComparison(db: Db, key: ComparisonKey): Promise<VersionComparison | null> {
  const row = await db('baseline_comparisons')
    .where({ from_version_id: key.fromVersionId, to_version_id: key.toVersionId, threshold: key.threshold })
    .first<VersionComparison | undefined>('diff_file', 'diff_percentage', 'width', 'height');
  return row ?? null;
}

/** Two callers may have made the same comparison: the first stays. */
export async function keepComparison(db: Db, key: ComparisonKey, comparison: VersionComparison): Promise<void> {
  await db('baseline_comparisons')
    .insert({
      from_version_id: key.fromVersionId,
      to_version_id: key.toVersionId,
      threshold: key.threshold,
      diff_file: comparison.diffFile,
      diff_percentage: comparison.diffPercentage,
      width: comparison.width,
      height: comparison.height,
    })
    .onConflict()
    .ignore();
}

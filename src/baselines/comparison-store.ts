import type { Region } from '../compare/region.ts';
import type { Db } from '../db/database.ts';
import { json } from '../db/json.ts';

declare module '../db/json.ts' {
  interface JsonColumns {
    'baseline_comparisons.regions': Region[];
  }
}

export type VersionComparison = {
  /** Object name. */
  diffFile: string;
  diffPercentage: number;
  width: number;
  height: number;
  /** In px of the larger screenshot. */
  regions: Region[];
};

export type ComparisonKey = { fromVersionId: string; toVersionId: string; threshold: number };

/** Also null for a comparison that was stored without regions, as it must be made again. */
export async function findComparison(db: Db, key: ComparisonKey): Promise<VersionComparison | null> {
  const row = await db('baseline_comparisons')
    .where({ from_version_id: key.fromVersionId, to_version_id: key.toVersionId, threshold: key.threshold })
    .whereNotNull('regions')
    .first('diff_file', 'diff_percentage', 'width', 'height', 'regions');
  if (row === undefined || row.regions === null) return null;
  return { ...row, regions: row.regions };
}

/** If two callers made the same comparison, the first one stays, unless it has no regions. */
export async function saveComparison(db: Db, key: ComparisonKey, comparison: VersionComparison): Promise<void> {
  await db('baseline_comparisons')
    .insert({
      from_version_id: key.fromVersionId,
      to_version_id: key.toVersionId,
      threshold: key.threshold,
      diff_file: comparison.diffFile,
      diff_percentage: comparison.diffPercentage,
      width: comparison.width,
      height: comparison.height,
      regions: json(comparison.regions),
    })
    .onConflict(['from_version_id', 'to_version_id', 'threshold'])
    .merge(['diff_file', 'diff_percentage', 'width', 'height', 'regions', 'updated_at'])
    .whereNull('baseline_comparisons.regions');
}

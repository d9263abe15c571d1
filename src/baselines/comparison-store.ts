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
  /** In px of the diff image. */
  regions: Region[];
  /** Both screenshots on the canvas of the diff image; null when nothing moved. */
  alignedFromFile: string | null;
  alignedToFile: string | null;
};

export type ComparisonKey = { fromVersionId: string; toVersionId: string; threshold: number; alignment: boolean };

/** Also null for a comparison that was stored without regions, as it must be made again. */
export async function findComparison(db: Db, key: ComparisonKey): Promise<VersionComparison | null> {
  const row = await db('baseline_comparisons')
    .where({
      from_version_id: key.fromVersionId,
      to_version_id: key.toVersionId,
      threshold: key.threshold,
      alignment: key.alignment,
    })
    .whereNotNull('regions')
    .first('diff_file', 'diff_percentage', 'width', 'height', 'regions', 'aligned_from_file', 'aligned_to_file');
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
      alignment: key.alignment,
      diff_file: comparison.diffFile,
      diff_percentage: comparison.diffPercentage,
      width: comparison.width,
      height: comparison.height,
      regions: json(comparison.regions),
      aligned_from_file: comparison.alignedFromFile,
      aligned_to_file: comparison.alignedToFile,
    })
    .onConflict(['from_version_id', 'to_version_id', 'threshold', 'alignment'])
    .merge([
      'diff_file',
      'diff_percentage',
      'width',
      'height',
      'regions',
      'aligned_from_file',
      'aligned_to_file',
      'updated_at',
    ])
    .whereNull('baseline_comparisons.regions');
}

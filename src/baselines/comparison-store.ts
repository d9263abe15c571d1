import type { Region } from '../compare/region.ts';
import type { Db } from '../db/database.ts';
import { json } from '../db/json.ts';

declare module '../db/json.ts' {
  interface JsonColumns {
    'screenshot_comparisons.regions': Region[];
  }
}

export type ScreenshotComparison = {
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

/** Two screenshots by their object names, and how a suite compares. */
export type ComparisonKey = {
  testSuiteId: string;
  fromFile: string;
  toFile: string;
  threshold: number;
  alignment: boolean;
};

const columns = ({ testSuiteId, fromFile, toFile, threshold, alignment }: ComparisonKey) => ({
  test_suite_id: testSuiteId,
  from_file: fromFile,
  to_file: toFile,
  threshold,
  alignment,
});

export async function findComparison(db: Db, key: ComparisonKey): Promise<ScreenshotComparison | null> {
  const row = await db('screenshot_comparisons')
    .where(columns(key))
    .first('diff_file', 'diff_percentage', 'width', 'height', 'regions', 'aligned_from_file', 'aligned_to_file');
  return row ?? null;
}

/** If two callers made the same comparison, the first one stays. */
export async function saveComparison(db: Db, key: ComparisonKey, comparison: ScreenshotComparison): Promise<void> {
  await db('screenshot_comparisons')
    .insert({
      ...columns(key),
      diff_file: comparison.diffFile,
      diff_percentage: comparison.diffPercentage,
      width: comparison.width,
      height: comparison.height,
      regions: json(comparison.regions),
      aligned_from_file: comparison.alignedFromFile,
      aligned_to_file: comparison.alignedToFile,
    })
    .onConflict(['test_suite_id', 'from_file', 'to_file', 'threshold', 'alignment'])
    .ignore();
}

/** The oldest comparisons of before that time. @returns the objects that they named. */
export async function deleteComparisons(db: Db, suiteId: string, before: Date, most: number): Promise<string[]> {
  const old = db('screenshot_comparisons')
    .where({ test_suite_id: suiteId })
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(most)
    .select('id');
  const gone = await db('screenshot_comparisons')
    .whereIn('id', old)
    .delete(['diff_file', 'aligned_from_file', 'aligned_to_file']);
  const names = gone.flatMap((row) => [row.diffFile, row.alignedFromFile, row.alignedToFile]);
  return names.filter((name) => name !== null);
}

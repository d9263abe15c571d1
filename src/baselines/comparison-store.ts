import { toColumns } from '../db/camel-case.ts';
import type { Db } from '../db/database.ts';
import type { SelectedRow } from '../db/query.ts';
import type { Region } from '../elements/region.ts';
import type { CompareSettings } from './baseline.ts';

declare module '../db/json.ts' {
  interface JsonColumns {
    'screenshot_comparisons.regions': Region[];
  }
}

const COLUMNS = [
  // Object name.
  'diff_file',
  'diff_percentage',
  'width',
  'height',
  // In px of the diff image.
  'regions',
  // Both screenshots on the canvas of the diff image; null when nothing moved.
  'aligned_from_file',
  'aligned_to_file',
] as const;
export type ScreenshotComparison = SelectedRow<'screenshot_comparisons', typeof COLUMNS>;

/** Two screenshots by their object names, and how a suite compares. */
type ComparisonKey = { testSuiteId: string; fromFile: string; toFile: string } & CompareSettings;

export async function findComparison(db: Db, key: ComparisonKey): Promise<ScreenshotComparison | null> {
  return db('screenshot_comparisons').where(toColumns(key)).first(COLUMNS);
}

/** If two callers made the same comparison, the first one stays. */
export async function saveComparison(db: Db, key: ComparisonKey, comparison: ScreenshotComparison): Promise<void> {
  await db('screenshot_comparisons')
    .insert({ ...toColumns(key), ...toColumns(comparison, ['regions']) })
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

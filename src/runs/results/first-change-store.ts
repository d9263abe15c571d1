import type { Region } from '../../compare/region.ts';
import type { Db } from '../../db/database.ts';

/**
 * The first difference in a result's screenshot, in px; for removed content, where it was. Null: the file is not that
 * screenshot, or nothing differs.
 */
export async function findFirstChange(db: Db, resultId: string, file: string): Promise<Region | null> {
  const row = await db('page_results').where({ id: resultId, current_file: file }).first('diff_regions');
  const [first] = row?.diffRegions ?? [];
  return first === undefined ? null : (first.current ?? first);
}

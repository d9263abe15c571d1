import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { Region } from '../../elements/region.ts';
import type { FoundChange, StoredChange } from './change.ts';
import type { PageResult } from './result.ts';

/** The caller judges the result in the same transaction. Approvals of the previous changes are deleted with them. */
export async function replaceChanges(
  trx: Db,
  result: Pick<PageResult, 'id' | 'testRunId'>,
  changes: FoundChange[],
): Promise<void> {
  await trx('result_changes').where({ page_result_id: result.id }).delete();
  await insertChanges(trx, result, changes);
}

/** The caller settles the result in the same transaction. A PENDING result has no changes yet. */
export async function insertChanges(
  trx: Db,
  { id, testRunId }: Pick<PageResult, 'id' | 'testRunId'>,
  changes: FoundChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await trx('result_changes').insert(
    changes.map(({ baselineBox, currentBox, canvasBox: _all, shownBox, key, ...change }, position) => ({
      ...change,
      page_result_id: id,
      test_run_id: testRunId,
      position,
      change_key: key,
      baseline_box: baselineBox && json(baselineBox),
      current_box: currentBox && json(currentBox),
      canvas_box: json(shownBox),
    })),
  );
}

/** In the order in which they were found. */
export async function findChangesOfResult(db: Db, resultId: string): Promise<StoredChange[]> {
  return db('result_changes')
    .where({ page_result_id: resultId })
    .orderBy('position')
    .select(
      'id',
      'page_result_id',
      'change_key as key',
      'kind',
      'element',
      'summary',
      'before',
      'after',
      'baseline_box',
      'current_box',
      'faint',
      'drift',
      'informs',
      'approved_at',
    );
}

/** What a change looked like in the baseline and in the screenshot: files and boxes. */
export async function findChangePlaces(
  db: Db,
  changeId: string,
): Promise<
  | (Pick<StoredChange, 'baselineBox' | 'currentBox'> & { canvasBox: Region } & Pick<
        PageResult,
        'baselineFile' | 'currentFile' | 'alignedBaselineFile' | 'alignedCurrentFile'
      >)
  | null
> {
  return db('result_changes')
    .join('page_results', 'page_results.id', 'result_changes.page_result_id')
    .where({ 'result_changes.id': changeId })
    .first(
      'baseline_file',
      'current_file',
      'aligned_baseline_file',
      'aligned_current_file',
      'baseline_box',
      'current_box',
      'canvas_box',
    );
}

/**
 * The first difference in a result's screenshot, in px; for removed content, where it was. Null: the file is not that
 * screenshot, or nothing differs.
 */
export async function findFirstChange(db: Db, resultId: string, file: string): Promise<Region | null> {
  const row = await db('page_results').where({ id: resultId, current_file: file }).first('diff_regions');
  const [first] = row?.diffRegions ?? [];
  return first === undefined ? null : (first.current ?? first);
}

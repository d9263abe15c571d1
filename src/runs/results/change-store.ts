import { z } from 'zod';
import { readRows, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { Region } from '../../elements/region.ts';
import { storableText } from '../../text/bad-text.ts';
import type { FoundChange, PageResult, StoredChange } from './result.ts';

/** `approvedAt`: as the database prints it, which is exact. */
const ApprovedChange = z.object({
  key: z.string(),
  picture: z.string(),
  approvedBy: z.uuid().nullable(),
  approvedAt: z.string(),
});

/**
 * The caller judges the result in the same transaction. A change that looks as before keeps its own approval while
 * another one is left to decide. Without one, it is decided again: only people approve a result.
 */
export async function replaceChanges(
  trx: Db,
  result: Pick<PageResult, 'id' | 'testRunId'>,
  changes: FoundChange[],
): Promise<void> {
  const approved = await readRows(
    trx,
    ApprovedChange,
    `with gone as (
       delete from result_changes where page_result_id = ? returning change_key, picture, approved_by, approved_at
     )
     select change_key as key, picture, approved_by, approved_at::text from gone
     where approved_at is not null and picture is not null`,
    [result.id],
  );
  await insertChanges(trx, result, changes);
  const isApproved = ({ key, picture }: FoundChange) =>
    approved.some((each) => each.key === key && each.picture === picture);
  if (!changes.some((change) => !change.drift && !change.informs && !isApproved(change))) return;
  for (const { key, picture, approvedBy, approvedAt } of approved)
    await trx('result_changes')
      .where({ page_result_id: result.id, change_key: key, picture })
      .update({ approved_by: approvedBy, approved_at: trx.raw('?::timestamptz', [approvedAt]) });
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
      element: storableText(change.element),
      summary: storableText(change.summary),
      before: change.before && storableText(change.before),
      after: change.after && storableText(change.after),
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

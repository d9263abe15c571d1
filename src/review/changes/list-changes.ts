import type { Context } from '../../context.ts';
import { cutList, type Listed, type ListPart } from '../../db/list-part.ts';
import { nameBoth } from '../../elements/name-element.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { AROUND, findGroupRows, type GroupRow } from './change-group-store.ts';
import type { ChangeGroup, ChangePlace, ChangeStop, PartOfChanges } from './change-group.ts';
import { cropOf, NO_VARIANTS, readVariants, type VariantsOfGroup } from './list-variants.ts';
import { VARIANTS_SHOWN } from './variant.ts';

function toGroup(row: GroupRow, { total: variantCount, variants }: VariantsOfGroup): ChangeGroup {
  const { changeKey, firstId, baselineBox, currentBox, baselineFile, currentFile, totalGroups: _total, ...rest } = row;
  const {
    undecidedGroups: _undecided,
    place: _place,
    elements,
    element,
    number: _number,
    resultId: _id,
    ...group
  } = rest;
  return {
    ...group,
    key: changeKey,
    element: elements.reduce(nameBoth, element),
    beforeCrop: cropOf(firstId, baselineFile, baselineBox),
    afterCrop: cropOf(firstId, currentFile, currentBox),
    variantCount,
    variants,
  };
}

/** Groups with their first variants, and at most `results` results of each. */
async function toGroups(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  rows: GroupRow[],
  results: number,
): Promise<ChangeGroup[]> {
  const keys = rows.map(({ changeKey }) => changeKey);
  const variants = await readVariants({ db }, run, keys, { limit: VARIANTS_SHOWN, results });
  return rows.map((row) => toGroup(row, variants.get(row.changeKey) ?? NO_VARIANTS));
}

/**
 * What changed in a run, one entry for each cause: clear changes first, then faint ones, then drift, each with the most
 * frequent first.
 * @param results how many results are named of each variant
 * @returns `total` and `undecided`: how many there are, and how many are undecided; 0 for a part that begins after the
 * last.
 */
export async function listChanges(
  ctx: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  part: PartOfChanges,
  results: number,
): Promise<{ groups: ChangeGroup[]; total: number; undecided: number }> {
  const rows = await findGroupRows(ctx.db, run.id, part);
  const [first] = rows;
  const groups = await toGroups(ctx, run, rows, results);
  return { groups, total: first?.totalGroups ?? 0, undecided: first?.undecidedGroups ?? 0 };
}

/**
 * The changes around one, the next undecided one after it (starting over after the last), and the last one, in order.
 * Without a key: the first ones. `undecided`: how many of all are undecided.
 */
export async function walkChanges(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  around: string | null,
): Promise<{ stops: ChangeStop[]; total: number; undecided: number }> {
  const rows = await findGroupRows(db, run.id, {
    limit: 2 * AROUND + 3,
    ...(around === null ? {} : { around }),
  });
  const stops = rows.map((row) => ({ ...toGroup(row, NO_VARIANTS), number: row.number, resultId: row.resultId }));
  return { stops, total: rows[0]?.totalGroups ?? 0, undecided: rows[0]?.undecidedGroups ?? 0 };
}

/**
 * The same as `listChanges` in parts, each after the place where the one before ended. `total`: of all parts; 0 for one
 * that is empty.
 */
export async function listChangesAfter(
  ctx: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  { limit, after }: ListPart<ChangePlace>,
  results: number,
): Promise<Listed<ChangeGroup, ChangePlace> & { total: number }> {
  const rows = await findGroupRows(ctx.db, run.id, { limit: limit + 1, after });
  const { items, next } = cutList(rows, limit, ({ drift, faint, count, place, changeKey: key }) => {
    return { drift, faint, count, place, key };
  });
  return { items: await toGroups(ctx, run, items, results), next, total: rows[0]?.totalGroups ?? 0 };
}

import type { Context } from '../../context.ts';
import type { Listed, ListPart } from '../../list-part.ts';
import { cutList } from '../../list-part.ts';
import { nameBoth } from '../../elements/name-element.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { ChangeGroup, ChangePlace, Crop, Occurrence, PartOfChanges } from './change-group.ts';
import type { GroupRow } from './change-group-store.ts';
import { findGroupRows, findOccurrences } from './change-group-store.ts';

function cropOf(changeId: string, file: string | null, box: Crop['box'] | null): Crop | null {
  return file === null || box === null ? null : { changeId, file, box };
}

function toGroup(row: GroupRow): ChangeGroup {
  const { changeKey, firstId, baselineBox, currentBox, baselineFile, currentFile, totalGroups: _total, ...rest } = row;
  const { pendingGroups: _pending, place: _place, elements, element, ...group } = rest;
  return {
    ...group,
    key: changeKey,
    element: elements.reduce(nameBoth, element),
    beforeCrop: cropOf(firstId, baselineFile, baselineBox),
    afterCrop: cropOf(firstId, currentFile, currentBox),
  };
}

/**
 * What changed in a run, one entry for each cause: drift last, before it faint ones, then those of the most results first.
 * @returns `total` and `pending`: how many there are, and how many wait; 0 for a part that begins after the last.
 */
export async function listChanges(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  part: PartOfChanges,
): Promise<{ groups: ChangeGroup[]; total: number; pending: number }> {
  const rows = await findGroupRows(db, run.id, part);
  const [first] = rows;
  return { groups: rows.map(toGroup), total: first?.totalGroups ?? 0, pending: first?.pendingGroups ?? 0 };
}

/** The same in parts, each after the place where the one before ended. */
export async function listChangesAfter(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  { limit, after }: ListPart<ChangePlace>,
): Promise<Listed<ChangeGroup, ChangePlace>> {
  const rows = await findGroupRows(db, run.id, { limit: limit + 1, after });
  const { items, next } = cutList(rows, limit, ({ drift, faint, count, place, changeKey: key }) => {
    return { drift, faint, count, place, key };
  });
  return { items: items.map(toGroup), next };
}

/** Where the groups occur, at most `limit` results of each. */
export async function listOccurrences(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  groups: ChangeGroup[],
  limit: number,
): Promise<Map<string, Occurrence[]>> {
  const keys = groups.map(({ key }) => key);
  const found = keys.length === 0 ? [] : await findOccurrences(db, run.id, keys, limit);
  const byKey = new Map<string, Occurrence[]>();
  for (const each of found) byKey.set(each.key, [...(byKey.get(each.key) ?? []), each]);
  return byKey;
}

import type { Context } from '../../context.ts';
import { cutList, type Listed, type ListPart } from '../../db/list-part.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { countHeard, findHeardRows, type HeardPlace, type HeardRow } from './heard-store.ts';

/** The differences that assistive technology hears in a run, the most frequent first. */
export async function listHeard(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  { limit, after }: ListPart<HeardPlace>,
): Promise<Listed<Omit<HeardRow, 'place' | 'total'>, HeardPlace> & { total: number }> {
  const rows = await findHeardRows(db, run.id, { limit: limit + 1, after });
  const { items, next } = cutList(rows, limit, ({ count, place, key }) => ({
    count,
    place,
    key,
  }));
  const groups = items.map(({ place: _place, total: _total, ...group }) => group);
  return { items: groups, next, total: rows[0]?.total ?? 0 };
}

/** How many differences there are, and on how many pages. */
export async function countHeardOf({ db }: Pick<Context, 'db'>, run: { id: string }) {
  return countHeard(db, run.id);
}

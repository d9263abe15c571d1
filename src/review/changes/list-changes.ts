import type { Context } from '../../context.ts';
import { cutList, type Listed, type ListPart } from '../../db/list-part.ts';
import { nameBoth } from '../../elements/name-element.ts';
import { notFound } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { VIEWPORTS_MAX } from '../../suites/config/viewport.ts';
import { AROUND, findGroupRows, type GroupRow } from './change-group-store.ts';
import {
  VARIANTS_SHOWN,
  type ChangeGroup,
  type ChangePlace,
  type ChangeStop,
  type Crop,
  type Occurrence,
  type PartOfChanges,
  type PartOfVariants,
  type Variant,
  type VariantPlace,
} from './change-group.ts';
import { findHeardRows, type HeardPlace, type HeardRow } from './heard-store.ts';
import { findVariantRows, type VariantRow } from './variant-store.ts';

function toGroup(row: GroupRow, { total: variantCount, variants }: VariantsOfGroup) {
  const { firstId, elements, baselineBox, currentBox, baselineFile, currentFile } = row;
  return {
    ...row,
    element: elements.reduce(nameBoth, row.element),
    beforeCrop: cropOf(firstId, baselineFile, baselineBox),
    afterCrop: cropOf(firstId, currentFile, currentBox),
    variantCount,
    variants,
  };
}

/**
 * What changed in a run, one entry for each cause: clear changes first, then faint ones, then drift, each with the most
 * frequent first.
 * @param results how many results are named of each of the first variants
 * @returns `total` and `undecided`: how many there are, and how many are undecided; 0 for a part that begins after the
 * last.
 */
export async function listChanges(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  part: PartOfChanges,
  results: number,
): Promise<{ groups: ChangeGroup[]; total: number; undecided: number }> {
  const rows = await findGroupRows(db, run.id, part);
  const keys = rows.map(({ key }) => key);
  const variants = await readVariants({ db }, run, keys, { limit: VARIANTS_SHOWN, results });
  const groups = rows.map((row) => toGroup(row, variants.get(row.key) ?? NO_VARIANTS));
  return { groups, total: rows[0]?.totalGroups ?? 0, undecided: rows[0]?.undecidedGroups ?? 0 };
}

/**
 * The changes around one, the next undecided one after it (starting over after the last), and the last one, in order.
 * Without a key: around the first. `total`: how many there are.
 */
export async function walkChanges(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  around: string | null,
): Promise<{ stops: ChangeStop[]; total: number }> {
  const key = around ?? (await findGroupRows(db, run.id, { limit: 1 }))[0]?.key ?? null;
  const rows = key === null ? [] : await findGroupRows(db, run.id, { limit: 2 * AROUND + 3, around: key });
  const stops = rows.map((row) => toGroup(row, NO_VARIANTS));
  return { stops, total: rows[0]?.totalGroups ?? 0 };
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
  const { groups, total } = await listChanges(ctx, run, { limit: limit + 1, after }, results);
  const toPlace = ({ drift, faint, count, place, key }: ChangeGroup) => ({ drift, faint, count, place, key });
  return { ...cutList(groups, limit, toPlace), total };
}

/** The differences that assistive technology hears in a run, the most frequent first. */
export async function listHeard(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  { limit, after }: ListPart<HeardPlace>,
): Promise<Listed<HeardRow, HeardPlace> & { total: number }> {
  const rows = await findHeardRows(db, run.id, { limit: limit + 1, after });
  return { ...cutList(rows, limit, ({ count, place, key }) => ({ count, place, key })), total: rows[0]?.total ?? 0 };
}

/** The maximum number of results of a page, one for each viewport. */
export const PICTURES = VIEWPORTS_MAX;

/** How many variants a group has, and some of them. */
export type VariantsOfGroup = { total: number; variants: Variant[] };

export const NO_VARIANTS: VariantsOfGroup = { total: 0, variants: [] };

function cropOf(changeId: string, file: string | null, box: Crop['box'] | null): Crop | null {
  return file === null || box === null ? null : { changeId, file, box };
}

function toOccurrence(row: VariantRow): Occurrence {
  const { resultId, path, viewport, approved, held, changeId } = row;
  return {
    resultId,
    path,
    viewport,
    approved,
    held,
    before: cropOf(changeId, row.baselineFile, row.baselineBox),
    after: cropOf(changeId, row.currentFile, row.currentBox),
    wholeBefore: cropOf(changeId, row.wholeBaselineFile, row.canvasBox),
    wholeAfter: cropOf(changeId, row.wholeCurrentFile, row.canvasBox),
  };
}

function toVariant(first: VariantRow): Variant {
  const { variant: id, count, pending, undecided, undecidedPlaces, drift, place, viewports, paths, path } = first;
  const all = paths ?? [path];
  const facts = { id, paths: all, viewports, count, pending, undecided, undecidedPlaces: undecidedPlaces ?? '' };
  return { ...facts, drift, place, occurrences: [], pictures: [] };
}

/** By the key of their group. */
export async function readVariants(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  keys: string[],
  part: PartOfVariants,
): Promise<Map<string, VariantsOfGroup>> {
  const found = new Map<string, VariantsOfGroup>();
  for (const row of await findVariantRows(db, run.id, keys, part)) {
    const group = found.get(row.key) ?? { total: row.total, variants: [] };
    found.set(row.key, group);
    const known = group.variants.at(-1);
    const variant = known?.id === row.variant ? known : toVariant(row);
    if (variant !== known) group.variants.push(variant);
    const occurrence = toOccurrence(row);
    variant.occurrences.push(occurrence);
    if (row.path === variant.paths[0]) variant.pictures.push(occurrence);
  }
  return found;
}

/**
 * The variants of one group in parts, undecided ones first.
 * @throws AppError not_found when the run has no such group.
 */
export async function listVariantsAfter(
  ctx: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  key: string,
  { limit, after }: ListPart<VariantPlace>,
): Promise<Listed<Variant, VariantPlace>> {
  const found = await readVariants(ctx, run, [key], { limit: limit + 1, results: PICTURES, after });
  const { variants } = found.get(key) ?? NO_VARIANTS;
  if (variants.length === 0 && after === null) throw notFound('Change');
  return cutList(variants, limit, ({ pending, count, place }) => ({ decided: pending === 0, count, place }));
}

import type { Context } from '../../context.ts';
import { cutList, type Listed, type ListPart } from '../../db/list-part.ts';
import { notFound } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { VIEWPORTS_MAX } from '../../suites/config/viewport.ts';
import { findVariantRows, type VariantRow } from './variant-store.ts';
import type { Crop, Occurrence, PartOfVariants, Variant, VariantPlace } from './variant.ts';

/** The maximum number of results of a page, one for each viewport. */
export const PICTURES = VIEWPORTS_MAX;

/** How many variants a group has, and some of them. */
export type VariantsOfGroup = { total: number; variants: Variant[] };

export const NO_VARIANTS: VariantsOfGroup = { total: 0, variants: [] };

export function cropOf(changeId: string, file: string | null, box: Crop['box'] | null): Crop | null {
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

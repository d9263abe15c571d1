import { cropUrl, wholeCropUrl } from '../../http/image-url.ts';
import type { ChangeGroup } from '../../review/changes/change-group.ts';
import { describeWhere } from '../../review/changes/describe-where.ts';
import type { Crop, Occurrence, Variant } from '../../review/changes/variant.ts';
import { formatCount } from '../../text/format.ts';
import type { Badge } from '../badge.ts';
import { APPROVED_BADGE, DRIFT_BADGE } from '../badge.ts';
import { CHANGE_BADGES } from './change-badges.ts';
import { resultPath } from './result-filter.ts';

const OWN = { publicUrl: '' };

/** What a change looks like at a viewport. Null where the element is not there. */
type Picture = { at: string | null; before: string | null; after: string | null };

type VariantRow = {
  /** For the form: the key of the group and the id of the variant. */
  value: string;
  /** `Variant 2`. Null: the only one. */
  name: string | null;
  /** Such as `6 pages × 2 viewports`. */
  where: string;
  badges: Badge[];
  pictures: Picture[];
  results: { href: string; path: string; viewport: string; approved: boolean }[];
  /** How many results are not listed. */
  left: number;
  isOpen: boolean;
};

/** What the partial `change` prints: one cause, with what it looks like and the results in which it shows. */
export type ChangeRow = {
  key: string;
  element: string | null;
  summary: string;
  badges: Badge[];
  /** The page with all variants. */
  href: string;
  /** `3 variants`. Null: it looks the same on all of its pages. */
  varied: string | null;
  variants: VariantRow[];
  /** How many variants are not listed. */
  left: number;
  /** The viewer can approve it. */
  isOpen: boolean;
};

/** Separates a group's key from a variant's id. Neither has one. */
const SEPARATOR = ':';

const toVariantValue = (key: string, variantId: string): string => `${key}${SEPARATOR}${variantId}`;

/** The ids of the variants of this group among the values of a form. */
export const variantsOfKey = (values: string[], key: string): string[] =>
  values.flatMap((value) => (value.startsWith(key + SEPARATOR) ? [value.slice(key.length + SEPARATOR.length)] : []));

const focused = (crop: Crop | null) => crop && cropUrl(OWN, crop);
const whole = (crop: Crop | null) => crop && wholeCropUrl(OWN, crop);

function toPictures({ pictures }: Variant, isVaried: boolean): Picture[] {
  const isOne = pictures.length === 1;
  return pictures.map(({ viewport, before, after, wholeBefore, wholeAfter }: Occurrence) => ({
    at: isOne ? null : viewport,
    before: isVaried ? whole(wholeBefore) : focused(before),
    after: isVaried ? whole(wholeAfter) : focused(after),
  }));
}

const stateBadges = ({ drift, pending }: { drift: boolean; pending: number }): Badge[] =>
  drift ? [DRIFT_BADGE] : pending === 0 ? [APPROVED_BADGE] : [];

type Place = { runId: string; canApprove: boolean; first: number };

function toVariantRow(
  group: ChangeGroup,
  variant: Variant,
  at: number,
  { runId, canApprove, first }: Place,
): VariantRow {
  const isVaried = group.variantCount > 1;
  const { id, count, pending, occurrences } = variant;
  return {
    value: toVariantValue(group.key, id),
    name: isVaried ? `Variant ${first + at}` : null,
    where: describeWhere(variant),
    badges: isVaried ? stateBadges(variant) : [],
    pictures: toPictures(variant, isVaried),
    results: occurrences.map(({ resultId, path, viewport, approved }) => ({
      href: resultPath(runId, resultId),
      path,
      viewport,
      approved,
    })),
    left: count - occurrences.length,
    isOpen: canApprove && pending > 0,
  };
}

/** @param place.first the number of the first variant in the row, from 1 */
export function changeRow(group: ChangeGroup, place: Place): ChangeRow {
  const { key, kind, element, summary, pending, variants, variantCount } = group;
  return {
    key,
    element: element === '' ? null : element,
    summary,
    badges: [CHANGE_BADGES[kind], ...stateBadges(group)],
    href: `/runs/${place.runId}/changes/${key}`,
    varied: variantCount > 1 ? formatCount(variantCount, 'variant') : null,
    variants: variants.map((variant, at) => toVariantRow(group, variant, at, place)),
    left: variantCount - variants.length,
    isOpen: place.canApprove && pending > 0,
  };
}

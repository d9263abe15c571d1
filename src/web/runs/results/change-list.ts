import type { Context } from '../../../context.ts';
import type { ChangeKind } from '../../../elements/page-change.ts';
import { lookOf } from '../../../review/approval/as-shown.ts';
import {
  describeWhere,
  type ChangeGroup,
  type ChangeStop,
  type Variant,
} from '../../../review/changes/change-group.ts';
import { listChanges, PICTURES } from '../../../review/changes/list-changes.ts';
import { mayDecide, type RunFor } from '../../../runs/read-run.ts';
import { capitalize, formatCount } from '../../../text/format.ts';
import { APPROVED_BADGE, DRIFT_BADGE, REQUESTED_BADGE, type Badge } from '../../badge.ts';
import { cropImage } from '../../comparison/read-image.ts';
import type { IconName } from '../../icons.ts';
import { withQuery } from '../../web-route.ts';

/** Separates a group's key from a variant's id, and a result's id from its look. None of them has one. */
const SEPARATOR = ':';

/** A variant in a form. */
export const toVariantValue = (key: string, variantId: string): string => `${key}${SEPARATOR}${variantId}`;

/** The ids of the variants of this group among the values of a form. */
export const variantsOfKey = (values: string[], key: string): string[] =>
  values.flatMap((value) => (value.startsWith(key + SEPARATOR) ? [value.slice(key.length + SEPARATOR.length)] : []));

/** A result in a form, as the form shows it. */
export const toResultValue = (result: Parameters<typeof lookOf>[0] & { id: string }): string =>
  `${result.id}${SEPARATOR}${lookOf(result)}`;

/** `look`: undefined if it does not matter how the result looked. */
export function readResultValue(value: string): { id: string; look: string | undefined } {
  const [id = '', look] = value.split(SEPARATOR);
  return { id, look };
}

const muted = (label: string, icon: IconName): Badge => ({ label, tone: 'muted', icon });

export const CHANGE_BADGES: Record<ChangeKind, Badge> = {
  ADDED: muted('Added', 'plus-circle'),
  REMOVED: muted('Removed', 'circle-slash'),
  MOVED: muted('Moved', 'diff'),
  RESIZED: muted('Resized', 'diff'),
  RESTYLED: muted('Style', 'diff'),
  TEXT: muted('Text', 'log'),
  IMAGE: muted('Image', 'image'),
  PIXELS: muted('Pixels', 'eye'),
  ACCESSIBILITY: muted('Accessibility', 'comment'),
};

/** How many groups are shown at once. */
const PART = 30;

/** What changed, in words. */
export const changeTitle = ({ summary, kind }: Pick<ChangeStop, 'summary' | 'kind'>): string =>
  summary === '' ? CHANGE_BADGES[kind].label : capitalize(summary);

/** What was decided about a change, or that it needs no decision. */
export function stopBadge({
  drift,
  pending,
  undecided,
}: Pick<ChangeStop, 'drift' | 'pending' | 'undecided'>): Badge | null {
  if (drift) return DRIFT_BADGE;
  if (pending === 0) return APPROVED_BADGE;
  return undecided === 0 ? REQUESTED_BADGE : null;
}

/** A change with several variants is shown in full; one without only at its place. `at`: the viewport. */
function toPictures({ pictures }: Variant, isVaried: boolean) {
  return pictures.map(({ viewport: at, before, after, wholeBefore, wholeAfter }) => ({
    at,
    before: cropImage(isVaried ? wholeBefore : before, isVaried),
    after: cropImage(isVaried ? wholeAfter : after, isVaried),
  }));
}

/** One change: what it looks like, and where it is. */
function changeRow(group: ChangeGroup, runId: string, canApprove: boolean) {
  const { key, kind, element, variants, variantCount } = group;
  const state = stopBadge(group);
  const open = canApprove ? variants.filter(({ undecided }) => undecided > 0) : [];
  return {
    key,
    element: element === '' ? null : element,
    summary: changeTitle(group),
    badges: [CHANGE_BADGES[kind], ...(state === null ? [] : [state])],
    where: describeWhere(group),
    href: `/runs/${runId}/changes/${key}`,
    varied: variantCount > 1 ? formatCount(variantCount, 'variant') : null,
    pictures: variants.flatMap((variant) => toPictures(variant, variantCount > 1)),
    left: variantCount - variants.length,
    tick:
      open.length === 0
        ? null
        : {
            variants: open.map(({ id }) => toVariantValue(key, id)),
            places: open.map(({ undecidedPlaces }) => undecidedPlaces).join(' '),
          },
  };
}

type ChangeList = Awaited<ReturnType<typeof readPart>>;

/**
 * Null when the run has none, or when no changes were stored with its results. Starts at the beginning if there are none
 * at this place.
 */
export async function readChangeList(ctx: Pick<Context, 'db'>, run: RunFor, offset: number): Promise<ChangeList> {
  return (await readPart(ctx, run, offset)) ?? (offset === 0 ? null : readPart(ctx, run, 0));
}

async function readPart(ctx: Pick<Context, 'db'>, run: RunFor, offset: number) {
  const found = await listChanges(ctx, run, { limit: PART + 1, offset }, PICTURES);
  if (found.groups.length === 0) return null;
  const canApprove = mayDecide(run);
  const groups = found.groups.slice(0, PART);
  const rowsOf = (isFaint: boolean) =>
    groups.filter(({ faint }) => faint === isFaint).map((group) => changeRow(group, run.id, canApprove));
  const faint = rowsOf(true);
  const at = (changes: number) => withQuery(`/runs/${run.id}`, { changes: changes === 0 ? null : changes });
  return {
    rows: rowsOf(false),
    faint: faint.length === 0 ? null : { label: formatCount(faint.length, 'faint change'), rows: faint },
    total: found.total,
    undecided: found.undecided,
    more: found.groups.length > PART ? at(offset + PART) : null,
    previous: offset === 0 ? null : at(Math.max(0, offset - PART)),
  };
}

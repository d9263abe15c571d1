import { z } from 'zod';
import type { Config } from '../../config.ts';
import { onRun } from '../../http/acts-on.ts';
import { cropUrl, wholeCropUrl } from '../../http/image-url.ts';
import { sayApprovedChanges } from '../../review/approval/describe-decision.ts';
import { approveChanges } from '../../review/changes/approve-changes.ts';
import type { ChangeGroup } from '../../review/changes/change-group.ts';
import { listChangesAfter } from '../../review/changes/list-changes.ts';
import { listHeard } from '../../review/changes/list-heard.ts';
import { listVariantsAfter, PICTURES } from '../../review/changes/list-variants.ts';
import type { Occurrence, Variant } from '../../review/changes/variant.ts';
import { listRoute, route } from '../api-route.ts';
import * as changes from '../schemas/change-schemas.ts';

export function stateOf({
  drift,
  pending,
}: Pick<Variant, 'drift' | 'pending'>): z.input<typeof changes.Variant>['state'] {
  return drift ? 'DRIFT' : pending > 0 ? 'PENDING' : 'APPROVED';
}

type PublicUrl = Pick<Config, 'publicUrl'>;

function presentPicture(config: PublicUrl, { viewport, resultId, wholeBefore, wholeAfter }: Occurrence) {
  return {
    viewport,
    resultId,
    beforeCrop: wholeBefore && wholeCropUrl(config, wholeBefore),
    afterCrop: wholeAfter && wholeCropUrl(config, wholeAfter),
  };
}

function presentVariant(config: PublicUrl, variant: Variant) {
  const pictures = variant.pictures.map((picture) => presentPicture(config, picture));
  const { beforeCrop = null, afterCrop = null } = pictures[0] ?? {};
  return { ...variant, pages: variant.paths, beforeCrop, afterCrop, pictures, state: stateOf(variant) };
}

function presentChange(config: PublicUrl, group: ChangeGroup) {
  return {
    ...group,
    id: group.key,
    pages: group.paths,
    beforeCrop: group.beforeCrop && cropUrl(config, group.beforeCrop),
    afterCrop: group.afterCrop && cropUrl(config, group.afterCrop),
    state: stateOf(group),
    variants: group.variants.map((variant) => presentVariant(config, variant)),
  };
}

export const getChanges = listRoute(
  {
    operationId: 'listChanges',
    suiteToken: 'read',
    summary: 'List what changed in a run, by cause: most results first, faint changes last',
    description:
      'Results that changed for the same reason, such as a header that became 8 px taller, share one change across all pages and viewports.',
    ...onRun('suite.read'),
    response: z.array(changes.Change),
    list: { most: 1000, place: changes.ChangePlace },
  },
  async (ctx, { run, part }) => {
    const { items, next } = await listChangesAfter(ctx, run, part, PICTURES);
    return { items: items.map((group) => presentChange(ctx.config, group)), next };
  },
);

export const getHeard = listRoute(
  {
    operationId: 'listAccessibilityChanges',
    suiteToken: 'read',
    summary: 'List what assistive technology hears otherwise in a run, by difference: most results first',
    description:
      'The exact difference of the accessibility tree (role, name, state), wherever it was read, also if no pixel differs. What differs in the same way shares one entry across all pages and viewports.',
    ...onRun('suite.read'),
    response: z.array(changes.AccessibilityChange),
    list: { most: 1000, place: changes.HeardPlace },
  },
  async (ctx, { run, part }) => {
    const { items, next } = await listHeard(ctx, run, part);
    return { items: items.map(({ key: id, paths: pages, ...group }) => ({ ...group, id, pages })), next };
  },
);

export const getVariants = listRoute(
  {
    operationId: 'listVariants',
    suiteToken: 'read',
    summary: 'List the variants of a change: those that await approval first, then those of the most results',
    description:
      'Pages are one variant of a change if they look the same by it at each viewport. Approving a change that comes in several variants names those that were seen.',
    ...onRun('suite.read'),
    params: changes.ChangeParams,
    response: z.array(changes.Variant),
    list: { most: 1000, place: changes.VariantPlace },
  },
  async (ctx, { run, params, part }) => {
    const { items, next } = await listVariantsAfter(ctx, run, params.changeId, part);
    return { items: items.map((variant) => presentVariant(ctx.config, variant)), next };
  },
);

export const postApproveChange = route(
  {
    operationId: 'approveChange',
    summary: 'Approve a change everywhere it occurs in the run',
    description:
      'A result is approved when all of its changes are. A change that looks different on some of its pages comes in several variants: the call names those that somebody has seen, and only they are approved.',
    ...onRun('suite.approve'),
    params: changes.ChangeParams,
    body: changes.ApproveChangeInput,
    bodyOptional: true,
    response: changes.ApproveChangeResponse,
    failures: {
      409: 'The run is running, cancelled or superseded; the change comes in several variants and none are named (`several_variants`), or one that is named is no longer there (`not_as_shown`), both with `variantCount` and the first `variants`',
    },
  },
  async (ctx, { run, params, body }) => {
    const done = await approveChanges(ctx, run, {
      changes: [{ key: params.changeId, variants: body.variants }],
      note: body.note ?? undefined,
      seen: body.verdictNumber,
    });
    const { message } = sayApprovedChanges(run, done, 1);
    return { message, changes: done.changes, approved: done.approved };
  },
);

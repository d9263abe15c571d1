import { z } from 'zod';
import { ReviewerNote } from '../../baselines/baseline.ts';
import type { Config } from '../../config.ts';
import { CHANGE_KINDS } from '../../elements/page-change.ts';
import { inRun, onRun } from '../../http/acts-on.ts';
import { cropUrl, wholeCropUrl } from '../../http/image-url.ts';
import { sayApprovedChanges } from '../../review/approval/describe-decision.ts';
import { approveChanges } from '../../review/changes/approve-changes.ts';
import { VARIANTS_SHOWN, type ChangeGroup, type Occurrence, type Variant } from '../../review/changes/change-group.ts';
import { listChangesAfter, listHeard, listVariantsAfter, PICTURES } from '../../review/changes/list-changes.ts';
import { listRoute, route } from '../api-route.ts';
import { seenVerdict } from '../run-schemas.ts';
import { Address, inputObject, named, namedObject, PublicId } from '../suite-schemas.ts';

const changeId = z.string().regex(/^[0-9a-f]{32}$/, 'must be the ID of a change');

/** The order of a change's variants, see `listVariants`. */
const VariantPlace = z.object({ decided: z.boolean(), count: z.int(), place: z.int() });

/** The order of changes, see `listChanges`. */
export const ChangePlace = z.object({
  drift: z.boolean(),
  faint: z.boolean(),
  count: z.int(),
  place: z.int(),
  key: z.string(),
});

const State = z
  .enum(['PENDING', 'APPROVED', 'DRIFT'])
  .describe(
    'Whether any result still awaits approval of this change. Drift, which the suite’s own site shows too, needs none.',
  );

const WholeCrop = Address.nullable().describe(
  'A WebP of all that differs, lined up with the other one; whatever its size',
);

const ChangeVariant = namedObject('ChangeVariant', {
  id: z.string().describe('Identifies this variant of the change in every run'),
  count: z.int().describe('How many results show it'),
  pages: z.array(z.string()).describe('The paths on which it occurs'),
  viewports: z.array(z.string()),
  beforeCrop: WholeCrop,
  afterCrop: WholeCrop,
  pictures: z
    .array(z.object({ viewport: z.string(), resultId: PublicId, beforeCrop: WholeCrop, afterCrop: WholeCrop }))
    .describe('What it looks like at each viewport, on the first of its pages'),
  state: State,
});

export const Change = namedObject('Change', {
  id: z.string().describe('Identifies this change on every page, at every viewport, in every run'),
  kind: named('ChangeKind', z.enum(CHANGE_KINDS)),
  element: z
    .string()
    .describe('A short CSS selector; empty when elements are not known. For ACCESSIBILITY: role and name'),
  summary: z.string().describe('What happened to the element, for example "background #1a7f37 → #0969da"'),
  before: z.string().nullable(),
  after: z.string().nullable(),
  pages: z.array(z.string()).describe('The paths on which it occurs'),
  viewports: z.array(z.string()),
  count: z.int().describe('How many results have it'),
  beforeCrop: Address.nullable().describe('A WebP of the element in the baseline, at its first occurrence'),
  afterCrop: Address.nullable(),
  state: State,
  faint: z.boolean().describe('Whether the change is too faint for most people to see'),
  variantCount: z
    .int()
    .describe(
      'In how many variants it comes. The pages of one look the same by it at each viewport; usually there is one',
    ),
  variants: z
    .array(ChangeVariant)
    .describe(`The first ${VARIANTS_SHOWN}, those that await approval first. \`listVariants\` has all`),
});

/** The order of differences, see `listAccessibilityChanges`. */
const HeardPlace = z.object({ count: z.int(), place: z.int(), key: z.string() });

const AccessibilityChange = namedObject('AccessibilityChange', {
  id: z.string().describe('Identifies this difference on every page, at every viewport, in every run'),
  element: z.string().describe('Role and name of the part of the page, for example: button “Search”'),
  summary: z.string().describe('What happened to it, in words that go after: lost its name'),
  before: z.string().nullable(),
  after: z.string().nullable(),
  holds: z.boolean().describe('Whether it needs a review, as the suite’s `accessibilityGate` says'),
  pages: z.array(z.string()).describe('The paths on which it occurs'),
  viewports: z.array(z.string()),
  count: z.int().describe('How many results have it'),
  resultId: PublicId.describe('The first of them'),
});

const ApproveChangeInput = inputObject('ApproveChangeInput', {
  variants: z
    .array(z.string().regex(/^[0-9a-f]{32}$/, 'must be the ID of a variant'))
    .min(1)
    .max(20_000)
    .optional()
    .describe('The IDs of the variants to approve. May be left out if the change comes in one variant'),
  note: ReviewerNote,
  verdictNumber: seenVerdict,
});

export function stateOf({
  drift,
  pending,
}: Pick<Variant, 'drift' | 'pending'>): z.input<typeof ChangeVariant>['state'] {
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
    response: z.array(Change),
    list: { most: 1000, place: ChangePlace },
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
      'The exact difference of the accessibility tree (role, name, state), wherever it was read, even if no pixel differs. What differs in the same way shares one entry across all pages and viewports.',
    ...onRun('suite.read'),
    response: z.array(AccessibilityChange),
    list: { most: 1000, place: HeardPlace },
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
    ...inRun('suite.read', { changeId }),
    response: z.array(ChangeVariant),
    list: { most: 1000, place: VariantPlace },
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
    ...inRun('suite.approve', { changeId }),
    body: ApproveChangeInput,
    bodyOptional: true,
    response: namedObject('ApproveChangeResponse', {
      message: z.string(),
      changes: z.int().describe('How many results had the change approved'),
      approved: z.int().describe('How many of them are now approved, because it was the last of their changes'),
    }),
    failures: {
      409: 'The run is running, cancelled or superseded; the change comes in several variants and none are named (`several_variants`), or one that is named is no longer there (`not_as_shown`), both with `variantCount` and the first `variants`; or a screenshot with it is no longer in storage (`screenshot_lost`)',
    },
  },
  async (ctx, { run, params, body }) => {
    const done = await approveChanges(ctx, run, {
      changes: [{ key: params.changeId, variants: body.variants }],
      note: body.note,
      seen: body.verdictNumber,
    });
    const { message } = sayApprovedChanges(run, done, 1);
    return { message, changes: done.changes, approved: done.approved };
  },
);

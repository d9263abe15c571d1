import { z } from 'zod';
import { CHANGE_KINDS } from '../../elements/page-change.ts';
import { Id } from '../../http/acts-on.ts';
import { VARIANTS_SHOWN } from '../../review/changes/variant.ts';
import { Address, named, namedObject, PublicId } from './common-schemas.ts';
import { reviewerNote, seenVerdict } from './result-schemas.ts';

export const ChangeParams = z.object({
  id: Id.describe('The run'),
  changeId: z.string().regex(/^[0-9a-f]{32}$/, 'must be the ID of a change'),
});

/** The order of a change's variants, see `listVariants`. */
export const VariantPlace = z.object({ decided: z.boolean(), count: z.int(), place: z.int() });

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

export const Variant = namedObject('ChangeVariant', {
  id: z.string().describe('The same for the same variant of the change in any run'),
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
  id: z.string().describe('The same for the same change of any page, viewport and run'),
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
    .array(Variant)
    .describe(`The first ${VARIANTS_SHOWN}, those that await approval first. \`listVariants\` has all`),
});

/** The order of differences, see `listAccessibilityChanges`. */
export const HeardPlace = z.object({ count: z.int(), place: z.int(), key: z.string() });

export const AccessibilityChange = namedObject('AccessibilityChange', {
  id: z.string().describe('The same for the same difference of any page, viewport and run'),
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

export const ApproveChangeInput = namedObject('ApproveChangeInput', {
  variants: z
    .array(z.string().regex(/^[0-9a-f]{32}$/, 'must be the ID of a variant'))
    .min(1)
    .max(20_000)
    .optional()
    .describe('The IDs of the variants to approve. May be left out if the change comes in one variant'),
  note: reviewerNote,
  verdictNumber: seenVerdict,
});

export const ApproveChangeResponse = namedObject('ApproveChangeResponse', {
  message: z.string(),
  changes: z.int().describe('How many results had the change approved'),
  approved: z.int().describe('How many of them are now approved, because it was the last of their changes'),
});

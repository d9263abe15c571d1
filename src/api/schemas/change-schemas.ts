import { z } from 'zod';
import { CHANGE_KINDS } from '../../elements/page-change.ts';
import { Id, ImageUrl } from './common-schemas.ts';
import { named } from './components.ts';
import { reviewerNote, seenVerdict } from './run-schemas.ts';

export const ChangeParams = z.object({
  id: Id.describe('The run'),
  changeId: z.string().regex(/^[0-9a-f]{32}$/, 'must be the ID of a change'),
});

/** The order of changes, see `listChanges`. */
export const ChangePlace = z.object({
  drift: z.boolean(),
  faint: z.boolean(),
  count: z.int(),
  place: z.int(),
  key: z.string(),
});

export const Change = named(
  'Change',
  z.object({
    id: z.string().describe('The same for the same change of any page, viewport and run'),
    kind: named('ChangeKind', z.enum(CHANGE_KINDS)),
    element: z.string().describe('A short CSS selector; empty when elements are not known'),
    summary: z.string().describe('What happened to the element, for example "background #1a7f37 → #0969da"'),
    before: z.string().nullable(),
    after: z.string().nullable(),
    pages: z.array(z.string()).describe('The paths on which it occurs'),
    viewports: z.array(z.string()),
    count: z.int().describe('How many results have it'),
    beforeCrop: ImageUrl.nullable().describe('A WebP of the element in the baseline, at its first occurrence'),
    afterCrop: ImageUrl.nullable(),
    state: z
      .enum(['PENDING', 'APPROVED', 'DRIFT'])
      .describe(
        "Whether any result still awaits approval of this change. Drift, which the suite's own site shows too, needs none.",
      ),
    faint: z.boolean().describe('Whether the change is too faint for most people to see'),
  }),
);

export const ApproveChangeInput = named(
  'ApproveChangeInput',
  z.object({ note: reviewerNote, verdictNumber: seenVerdict }),
);

export const ApproveChangeResponse = named(
  'ApproveChangeResponse',
  z.object({
    message: z.string(),
    changes: z.int().describe('How many results had the change approved'),
    approved: z.int().describe('How many of them are now approved, because it was the last of their changes'),
  }),
);

import { z } from 'zod';
import { CHANGE_KINDS } from '../../elements/page-change.ts';
import { Id, ImageUrl } from './common-schemas.ts';
import { named } from './components.ts';
import { reviewerNote } from './run-schemas.ts';

export const ChangeParams = z.object({
  id: Id.describe('The run'),
  changeId: z.string().regex(/^[0-9a-f]{32}$/, 'must be the ID of a change'),
});

export const ListChangesQuery = z.object({
  limit: z.coerce.number('must be a number').int().min(1).max(1000).default(1000),
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a cursor of the `Link` header')
    .optional(),
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
        "Whether any result still waits for an approval of this change. Drift, which the suite's own site shows as well, needs none.",
      ),
    faint: z.boolean().describe('Whether most people would not see it'),
  }),
);

export const ApproveChangeInput = named('ApproveChangeInput', z.object({ note: reviewerNote }));

export const ApproveChangeResponse = named(
  'ApproveChangeResponse',
  z.object({
    message: z.string(),
    changes: z.int().describe('How many results had the change approved'),
    approved: z.int().describe('How many of them were approved with it, as it was the last of their changes'),
  }),
);

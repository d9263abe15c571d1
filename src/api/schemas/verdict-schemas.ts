import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import { BOX_MAX, COMMENT_MAX_LENGTH } from '../../review/comments/comment.ts';
import { REVIEW_STATES } from '../../runs/run.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { IsoDate, named, namedObject, PublicId } from './common-schemas.ts';
import { Decision, reviewerNote, seenVerdict } from './result-schemas.ts';
import { SettingsChange } from './run-schemas.ts';
import { UserSummary } from './user-schemas.ts';

export const Verdict = namedObject('Verdict', {
  number: z.int().describe('Verdicts of a run are numbered from 1'),
  decision: Decision,
  wholeRun: z.boolean().describe('It is about the run itself and not about results of it'),
  results: z.int().describe('How many results it is about'),
  settings: z.boolean().describe('It is about what the pull request changes in the settings'),
  author: UserSummary.nullable(),
  note: z.string().nullable(),
  createdAt: IsoDate,
});

export const VERDICTS_AT_ONCE = { most: 1000, place: z.tuple([z.int()]) };

export const DecideInput = named(
  'DecideInput',
  z.strictObject({
    decision: Decision,
    resultIds: z
      .array(Id)
      .min(1)
      .max(20_000)
      .optional()
      .describe(
        'Default: to approve, every changed or new result to which nobody else has requested changes, and what the pull request changes in the settings; to undo, the caller’s request for changes to the run, otherwise everything that can be undone; to request changes, the run itself',
      ),
    note: reviewerNote.describe('Required to request changes'),
    verdictNumber: seenVerdict,
  }),
);

export const DecideResponse = namedObject('DecideResponse', {
  message: z.string(),
  verdictNumber: z.int(),
  reviewState: z.enum(REVIEW_STATES),
});

export const DecideSettingsInput = named(
  'DecideSettingsInput',
  z.strictObject({
    decision: Decision,
    note: reviewerNote.describe('Required to request changes'),
    id: z
      .string()
      .max(64)
      .optional()
      .describe(
        '`settingsChange.id` as the decider saw it. If it is another by now, the response is 409 `settings_changed`',
      ),
    verdictNumber: seenVerdict,
  }),
);

export const DecideSettingsResponse = namedObject('DecideSettingsResponse', {
  message: z.string(),
  verdictNumber: z.int(),
  reviewState: z.enum(REVIEW_STATES),
  settingsChange: SettingsChange.nullable(),
});

export const ChangeRequest = namedObject('ChangeRequest', {
  id: PublicId,
  resultId: PublicId.nullable().describe('null: the run itself'),
  path: z.string().nullable(),
  viewport: z.string().nullable(),
  author: UserSummary,
  note: z.string(),
  createdAt: IsoDate,
});

const px = (least: number) => z.int().min(least).max(BOX_MAX);

const CommentBox = named(
  'CommentBox',
  z
    .object({ x: px(0), y: px(0), width: px(1), height: px(1) })
    .describe('In px of the current screenshot of the result'),
);

export const Comment = namedObject('Comment', {
  id: PublicId,
  testRunId: PublicId,
  resultId: PublicId.nullable().describe('null: the run itself'),
  path: z.string().nullable(),
  viewport: z.string().nullable(),
  body: z.string().describe('Plain text'),
  box: CommentBox.nullable(),
  author: UserSummary.nullable(),
  createdAt: IsoDate,
  updatedAt: IsoDate.describe('Later than `createdAt` when it was edited'),
});

const body = trimmedText(COMMENT_MAX_LENGTH).min(1, 'must not be empty').describe('Plain text');

export const ListCommentsQuery = z.object({ resultId: Id.optional().describe('Only comments on this result') });
export const AddCommentInput = named(
  'AddCommentInput',
  z.strictObject({
    body,
    resultId: Id.nullish().describe('Default: the run itself'),
    box: CommentBox.nullish().describe('A part of the result'),
  }),
);
export const EditCommentInput = named('EditCommentInput', z.strictObject({ body }));
export const CommentParams = z.object({ id: Id.describe('The run'), commentId: Id });

import { z } from 'zod';
import { UserSummary } from '../../auth/user.ts';
import type { Region } from '../../elements/region.ts';
import { requiredText } from '../../text/input-words.ts';
import { Box } from '../changes/change-group.ts';

/** In characters. */
export const COMMENT_MAX_LENGTH = 2000;

/** As people write it. */
export const CommentText = requiredText(COMMENT_MAX_LENGTH);

/** Comments of one run. */
export const MAX_COMMENTS = 1000;

/** The largest coordinate of a box, in px. */
export const BOX_MAX = 100_000;

declare module '../../db/json.ts' {
  interface JsonColumns {
    'comments.box': Region;
  }
}

/** What somebody wrote about a run, a result of it, or a box in the result's current screenshot, in px of that. */
export const Comment = z.object({
  id: z.uuid(),
  testRunId: z.uuid(),
  resultId: z.uuid().nullable(),
  path: z.string().nullable(),
  viewport: z.string().nullable(),
  body: z.string(),
  box: Box.nullable(),
  /** Null when the account was deleted. */
  author: UserSummary.nullable(),
  createdAt: z.date(),
  /** Later than `createdAt` when it was edited. */
  updatedAt: z.date(),
});
export type Comment = z.infer<typeof Comment>;

export type CommentDraft = { resultId: string | null; body: string; box: Region | null };

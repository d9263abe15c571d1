import type { UserSummary } from '../../auth/user.ts';
import type { Region } from '../../compare/region.ts';

/** In characters. */
export const COMMENT_MAX_LENGTH = 2000;

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
export type Comment = {
  id: string;
  testRunId: string;
  resultId: string | null;
  path: string | null;
  viewport: string | null;
  body: string;
  box: Region | null;
  /** Null when the account was deleted. */
  author: UserSummary | null;
  createdAt: Date;
  /** Later than `createdAt` when it was edited. */
  updatedAt: Date;
};

export type CommentDraft = { resultId: string | null; body: string; box: Region | null };

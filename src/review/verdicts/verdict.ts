import { z } from 'zod';
import { UserSummary } from '../../auth/user.ts';

export const DECISIONS = ['approve', 'request_changes', 'undo'] as const;
export type Decision = (typeof DECISIONS)[number];

/** What a person decided about a run or some of its results. Verdicts of a run are numbered from 1. */
export const Verdict = z.object({
  number: z.number(),
  decision: z.enum(DECISIONS),
  /** It is about the run itself, not about its results. */
  wholeRun: z.boolean(),
  /** How many results it is about. */
  results: z.number(),
  /** It is about what the pull request changes in the settings. */
  settings: z.boolean(),
  /** Null when the account was deleted. */
  author: UserSummary.nullable(),
  note: z.string().nullable(),
  createdAt: z.date(),
});
export type Verdict = z.infer<typeof Verdict>;

/** A request for changes to a run (`resultId` is null), or to one of its results. It holds the review gate. */
export const ChangeRequest = z.object({
  id: z.uuid(),
  resultId: z.uuid().nullable(),
  path: z.string().nullable(),
  viewport: z.string().nullable(),
  author: UserSummary,
  note: z.string(),
  createdAt: z.date(),
});
export type ChangeRequest = z.infer<typeof ChangeRequest>;

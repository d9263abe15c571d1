import type { UserSummary } from '../../auth/user.ts';

export const DECISIONS = ['approve', 'request_changes', 'undo'] as const;
export type Decision = (typeof DECISIONS)[number];

/** What a person decided about a run or some of its results. Verdicts of a run are numbered from 1. */
export type Verdict = {
  number: number;
  decision: Decision;
  /** It is about the run itself, not about its results. */
  wholeRun: boolean;
  /** How many results it is about. */
  results: number;
  /** It is about what the pull request changes in the settings. */
  settings: boolean;
  /** Null when the account was deleted. */
  author: UserSummary | null;
  note: string | null;
  createdAt: Date;
};

/** A request for changes to a run (`resultId` is null), or to one of its results. It holds the review gate. */
export type ChangeRequest = {
  id: string;
  resultId: string | null;
  path: string | null;
  viewport: string | null;
  author: UserSummary;
  note: string;
  createdAt: Date;
};

/** Names a person as others see them. */
export function personName(user: Pick<UserSummary, 'name' | 'email'> | null): string {
  return user?.name ?? user?.email ?? 'a deleted account';
}

import { z } from 'zod';
import type { RecordedEvent } from '../events/event.ts';
import { isFailure } from './message.ts';
import { TELLS } from './target.ts';

/** What a person hears of a suite by email. Each includes those after it. */
export const HEARS = ['ALL', 'REVIEWS', 'THREADS', 'NOTHING'] as const;

/** `tells`: of the ends of runs, only those that failed or wait for a review, or all. */
export type Choice = { hears: (typeof HEARS)[number]; tells: (typeof TELLS)[number] };

/** The default. */
export const USUAL_CHOICE: Choice = { hears: 'REVIEWS', tells: 'FAILED' };

/** What was chosen for one suite. Null: as for all suites. */
export type SuiteChoice = { [K in keyof Choice]: Choice[K] | null };

export type ChosenSuite = SuiteChoice & { id: string; name: string };

const fields = { hears: z.enum(HEARS), tells: z.enum(TELLS) };

/** Fields that are left out stay as they are. */
export const ChoiceChange = z.object(fields).partial();
export type ChoiceChange = z.output<typeof ChoiceChange>;
export const SuiteChoiceChange = z.object({ hears: fields.hears.nullable(), tells: fields.tells.nullable() }).partial();
export type SuiteChoiceChange = z.output<typeof SuiteChoiceChange>;

/** Events that people may want to answer. */
const SAID: ReadonlySet<string> = new Set(['comment.created', 'review.changes_requested']);

/**
 * `reviews`: the run waits for the person. `isAsked`: the event assigned it to them. `takesPart`: they commented on the
 * run, or decided something about it.
 */
type Part = { reviews: boolean; isAsked: boolean; takesPart: boolean };

/** Whether a person is told of an event that somebody else caused, in a suite that the person may read. */
export function isHeard(
  { hears, tells, reviews, isAsked, takesPart }: Choice & Part,
  { kind, details }: Pick<RecordedEvent, 'kind' | 'details'>,
): boolean {
  const isAnswer = SAID.has(kind) && takesPart;
  switch (hears) {
    case 'ALL':
      return kind !== 'run.completed' || tells === 'ALWAYS' || isFailure(kind, { ...details });
    case 'REVIEWS':
      return isAnswer || (kind === 'review.required' && reviews) || (kind === 'review.assigned' && isAsked);
    case 'THREADS':
      return isAnswer;
    case 'NOTHING':
      return false;
  }
}

import { z } from 'zod';
import { NOTE_MAX_LENGTH } from '../../../baselines/baseline.ts';
import { DECISIONS, personName, type Decision, type Verdict } from '../../../review/verdicts/verdict.ts';
import { formatCount } from '../../../text/format.ts';
import type { Problem } from '../../problem.ts';
import type { Reply } from '../../reply.ts';

const WORDS: Record<Verdict['decision'], [ofResults: string, ofRun: string]> = {
  approve: ['approved', 'withdrew the request for changes to'],
  request_changes: ['requested changes to', 'requested changes to'],
  undo: ['undid the decision on', 'withdrew the request for changes to'],
};

/** What somebody did, such as `approved 3 results`. */
export function describeVerdict({
  decision,
  wholeRun,
  results,
  settings,
}: Pick<Verdict, 'decision' | 'wholeRun' | 'results' | 'settings'>) {
  const [ofResults, ofRun] = WORDS[decision];
  if (settings) return `${ofResults} the settings`;
  return wholeRun ? `${ofRun} this run` : `${ofResults} ${formatCount(results, 'result')}`;
}

const Meanwhile = z.object({
  code: z.literal('decided_meanwhile'),
  verdictNumber: z.number(),
  verdicts: z.array(
    z.object({
      decision: z.enum(DECISIONS),
      wholeRun: z.boolean(),
      results: z.number(),
      settings: z.boolean(),
      author: z.object({ name: z.string().nullable(), email: z.string().nullable() }).nullable(),
      note: z.string().nullable(),
      createdAt: z.coerce.date(),
    }),
  ),
});

const YOURS: Record<Decision, { what: string; button: string }> = {
  approve: { what: 'Approve', button: 'Approve anyway' },
  request_changes: { what: 'Request changes', button: 'Request changes anyway' },
  undo: { what: 'Undo', button: 'Undo anyway' },
};

/**
 * The page for a decision that conflicts with an earlier one by somebody else. It shows both, and the form again with
 * everything that was sent. Null for other problems.
 * @param action the URL of the form
 * @param keep where to look at their decision
 */
export function decidedMeanwhile(
  problem: Problem,
  { action, decision, keep }: { action: string; decision: Decision; keep: string },
): Reply | null {
  const parsed = Meanwhile.safeParse(problem.details);
  if (!parsed.success) return null;
  const { verdicts, verdictNumber } = parsed.data;
  const sent = problem.sent ?? [];
  const model = {
    verdicts: verdicts.map((verdict) => ({
      who: personName(verdict.author),
      what: describeVerdict(verdict),
      at: verdict.createdAt,
      note: verdict.note,
    })),
    ...YOURS[decision],
    action,
    hidden: sent.filter(([name]) => name !== 'seen' && name !== 'note').map(([name, value]) => ({ name, value })),
    seen: verdictNumber,
    note: decision === 'undo' ? null : { value: problem.typed['note'] ?? '', maxLength: NOTE_MAX_LENGTH },
    isNoteRequired: decision === 'request_changes',
    keep,
  };
  return { kind: 'page', view: 'runs/decided-meanwhile', title: 'Decided in the meantime', model, section: 'runs' };
}

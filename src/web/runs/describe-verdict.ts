import type { Verdict } from '../../review/verdicts/verdict.ts';
import { formatCount } from '../../text/format.ts';

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

import type { Preferences } from '../../auth/preferences.ts';
import { ownPath } from '../../http/own-path.ts';
import type { Problem } from '../problem.ts';
import { ResultPart, rowAnchor } from './result-filter.ts';
import type { RunView } from './show-run.ts';

const BASE = 'http://own.invalid';

/** Where a form of a run redirects to: the page that the person came from, otherwise the run. */
export function backTo(back: string | undefined, runId: string): string {
  return back === undefined ? `/runs/${runId}` : ownPath(back);
}

/**
 * The same for a button of one page in the run's list: redirects to that page in the list.
 * @param at.offset the place of the list part that contains the button. `back` lacks it if htmx added that part later.
 * @param at.resultId one of the button's results
 */
export function backToResult(
  back: string | undefined,
  runId: string,
  at: { offset: number; resultId: string | undefined },
): string {
  const url = new URL(backTo(back, runId), BASE);
  if (url.pathname !== `/runs/${runId}` || at.resultId === undefined) return url.pathname + url.search + url.hash;
  if (at.offset > 0) url.searchParams.set('offset', String(at.offset));
  return `${url.pathname}${url.search}#${rowAnchor('result', at.resultId, url.searchParams.get('section'))}`;
}

/** The list that was shown when the form was sent, so that it can be shown again. */
export function viewBefore({ typed }: Problem, { resultLayout: layout }: Pick<Preferences, 'resultLayout'>): RunView {
  const { searchParams } = new URL(ownPath(typed['back']), BASE);
  const { offset, ...filter } = ResultPart.parse(Object.fromEntries(searchParams));
  return { filter, offset, changes: 0, layout };
}

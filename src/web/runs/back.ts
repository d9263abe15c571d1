import { ownPath } from '../../http/own-path.ts';

/** Where a form of a run redirects to: the page that the person came from, otherwise the run. */
export function backTo(back: string | undefined, runId: string): string {
  return back === undefined ? `/runs/${runId}` : ownPath(back);
}

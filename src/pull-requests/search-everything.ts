import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { withoutNulls } from '../db/database.ts';
import { namePullRequest } from '../runs/run-name.ts';
import { FOUND_OF_EACH, quickSearch, readQuickSearch, type Found } from '../runs/search/quick-search.ts';
import { findPullRequestsWithoutRun, type PullRequestWithoutRun } from './pull-request-search-store.ts';

/** `withoutRun`: pull requests of linked repositories that the suite has no run of, each with the suite's name. */
export type FoundEverywhere = Found & { withoutRun: (PullRequestWithoutRun & { name: string })[] };

/** Quick search, also over pull requests that were not captured. */
export async function searchEverything(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  typed: string,
): Promise<FoundEverywhere> {
  const asked = readQuickSearch(typed);
  const [found, withoutRun] = await Promise.all([
    quickSearch(ctx, viewer, asked),
    asked.words.length === 0 ? [] : findPullRequestsWithoutRun(ctx.db, viewer.id, asked, FOUND_OF_EACH),
  ]);
  const named = withoutRun.map((pull) => ({
    ...pull,
    name: namePullRequest(withoutNulls({ prNumber: pull.number, title: pull.title })),
  }));
  return { ...found, withoutRun: named.slice(0, FOUND_OF_EACH - found.pullRequests.length) };
}

import type { Viewer } from '../../auth/user.ts';
import type { Db } from '../../db/database.ts';
import { findLists, partSql } from '../list/run-list-store.ts';
import type { RunFilter, RunWithSuite } from '../list/run-list.ts';

/** A common word occurs in more runs than should be sorted. */
const MATCHES_READ = 50;

/**
 * The newest matching runs that the viewer may read, those with the number first; and the newest run of each pull
 * request with a matching one.
 * @param number of the run or the pull request. `alone`: nothing else matches.
 */
export async function findRunsByText(
  db: Db,
  viewer: Viewer,
  { text, number, alone }: { text: string; number: number | null; alone: boolean },
  limit: number,
): Promise<{ runs: RunWithSuite[]; pullRequests: RunWithSuite[] }> {
  const part = { limit: MATCHES_READ };
  const matching = (filter: RunFilter) => partSql({ readableBy: viewer }, { search: text, ...filter }, part);
  const exact = (name: 'number' | 'pullRequest') => (alone && number !== null ? { [name]: number } : {});
  const [runs, ofRuns] = matching(exact('number'));
  const [pulls, ofPulls] = matching({ runType: 'PR', ...exact('pullRequest') });
  return findLists(db, {
    runs: [
      `select run.id from (${runs}) as found join test_runs as run on run.id = found.id
       order by run.number = ? desc, run.created_at desc, run.id desc limit ?`,
      [...ofRuns, number ?? 0, limit],
    ],
    pullRequests: [
      `select id from (
         select distinct on (run.test_suite_id, run.git_pr_number) run.id, run.git_pr_number, run.created_at
         from (${pulls}) as found join test_runs as run on run.id = found.id
         order by run.test_suite_id, run.git_pr_number, run.created_at desc
       ) as newest order by git_pr_number = ? desc, created_at desc, id desc limit ?`,
      [...ofPulls, number ?? 0, limit],
    ],
  });
}

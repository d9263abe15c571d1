import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { findListed, partSql } from '../list/run-list-store.ts';
import type { RunFilter, RunWithSuite } from '../list/run-list.ts';

/** A common word occurs in more runs than should be sorted. */
const MATCHES_READ = 50;

const Listed = z.object({ list: z.enum(['run', 'pull']), id: z.string() });

/**
 * The newest matching runs that the viewer may read, those with the number first; and the newest run of each pull
 * request with a matching one. In two statements.
 * @param number of the run or the pull request. `alone`: nothing else matches.
 */
export async function findRunsByText(
  db: Db,
  viewerId: string,
  { text, number, alone }: { text: string; number: number | null; alone: boolean },
  limit: number,
): Promise<{ runs: RunWithSuite[]; pullRequests: RunWithSuite[] }> {
  const part = { limit: MATCHES_READ, offset: 0, after: null };
  const matching = (filter: RunFilter) => partSql({ readableBy: viewerId }, { search: text, ...filter }, part);
  const exact = (name: 'number' | 'pullRequest') => (alone && number !== null ? { [name]: number } : {});
  const [runs, ofRuns] = matching(exact('number'));
  const [pulls, ofPulls] = matching({ runType: 'PR', ...exact('pullRequest') });
  const listed = await readRows(
    db,
    Listed,
    `(select 'run' as list, run.id from (${runs}) as found join test_runs as run on run.id = found.id
      order by run.number = ? desc, run.created_at desc, run.id desc limit ?)
     union all
     (select 'pull' as list, id from (
        select distinct on (run.test_suite_id, run.git_pr_number) run.id, run.git_pr_number, run.created_at
        from (${pulls}) as found join test_runs as run on run.id = found.id
        order by run.test_suite_id, run.git_pr_number, run.created_at desc
      ) as newest order by git_pr_number = ? desc, created_at desc, id desc limit ?)`,
    [...ofRuns, number ?? 0, limit, ...ofPulls, number ?? 0, limit],
  );
  const ids = [...new Set(listed.map(({ id }) => id))];
  const found = ids.length === 0 ? [] : await findListed(db, ['select unnest(?::uuid[]) as id', [ids]]);
  const byId = new Map(found.map((run) => [run.id, run]));
  const of = (list: 'run' | 'pull') => listed.flatMap((each) => (each.list === list ? (byId.get(each.id) ?? []) : []));
  return { runs: of('run'), pullRequests: of('pull') };
}

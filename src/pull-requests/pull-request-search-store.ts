import { z } from 'zod';
import { readRows, type Db } from '../db/database.ts';
import { ownAndSharedSql } from '../suites/readable-sql.ts';
import { anywhere } from '../text/search-words.ts';

const Found = z.object({
  number: z.number(),
  title: z.string().nullable(),
  testSuiteId: z.string(),
  suiteName: z.string(),
});

/** A pull request of a suite's repository that the suite has no run of. */
export type PullRequestWithoutRun = z.infer<typeof Found>;

/** Limits: the newest suites, and the newest pull requests of each repository. */
const SUITES_READ = 200;
const PULLS_READ = 200;

/**
 * Pull requests without a run, newest first, of the repositories of suites that the viewer may read. All words occur in
 * the title or the branch, or it has the number. They are listed for each suite, so one may occur twice.
 * @param number of the pull request. `alone`: nothing else matches.
 */
export async function findPullRequestsWithoutRun(
  db: Db,
  viewerId: string,
  { words, number, alone }: { words: string[]; number: number | null; alone: boolean },
  limit: number,
): Promise<PullRequestWithoutRun[]> {
  const linked = (of: string) =>
    `(select id, name, codehost_owner, codehost_repo from test_suites where ${of} and codehost_repo is not null
      order by created_at desc, id limit ${SUITES_READ})`;
  const columns = 'number, title, concat_ws(chr(32), title, head_branch) as words';
  const of = 'owner = lower(linked.codehost_owner) and repo = lower(linked.codehost_repo)';
  const byNumber = `(select ${columns} from pull_requests where ${of} and number = ?)`;
  const byWords = `(select * from (select ${columns} from pull_requests where ${of}
    order by number desc limit ${PULLS_READ}) as newest where words ilike all(?::text[]))`;
  const [matching, bindings] = alone
    ? [byNumber, [number ?? 0]]
    : [`${byNumber} union ${byWords}`, [number ?? 0, words.map(anywhere)]];
  return readRows(
    db,
    Found,
    `select pull.number, pull.title, linked.id as test_suite_id, linked.name as suite_name
     from (${ownAndSharedSql(linked)}) as linked
     cross join lateral (${matching}) as pull
     where not exists (
       select from test_runs
       where test_suite_id = linked.id and run_type = 'PR' and git_pr_number = pull.number)
     order by pull.number = ? desc, pull.number desc, linked.name, linked.id limit ?`,
    [viewerId, viewerId, ...bindings, number ?? 0, limit],
  );
}

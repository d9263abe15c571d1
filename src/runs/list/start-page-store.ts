import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { SHARED_SUITES_SQL, type Sql } from '../../suites/readable-sql.ts';
import { findListed, partSql } from './run-list-store.ts';
import type { RunFilter, RunWithSuite } from './run-list.ts';

/** The maximum number of runs in each list, and from how many they are selected. */
export type StartLists = { awaiting: number; followed: number; failed: number; daysOfFailed: number };

/** More than anybody follows. The most recently followed suites count. */
const FOLLOWS_READ = 200;

/** How many failed runs are read, because later runs may have succeeded. */
const FAILED_READ = 30;

/** The newest run of each suite that the viewer follows and may read. */
function followedSql(viewerId: string, limit: number): Sql {
  return [
    `select 'followed' as list, newest.id, newest.created_at from (
       select suite.id from (
         select user_id, test_suite_id from suite_follows where user_id = ?
         order by created_at desc, test_suite_id limit ${FOLLOWS_READ}
       ) as follow
       join test_suites as suite on suite.id = follow.test_suite_id
       where suite.user_id = follow.user_id or suite.id in (${SHARED_SUITES_SQL})
     ) as followed
     cross join lateral (
       select id, created_at from test_runs where test_suite_id = followed.id order by created_at desc, id desc limit 1
     ) as newest
     order by newest.created_at desc, newest.id desc limit ${limit}`,
    [viewerId, viewerId],
  ];
}

/** A later run of the site, or of the same branch, completed. */
const SETTLED_SQL = `case when run.run_type = 'MANUAL'
  then exists (
    select from test_runs as later where later.test_suite_id = run.test_suite_id and later.created_at > run.created_at
      and later.run_type = 'MANUAL' and later.status = 'COMPLETED')
  else exists (
    select from test_runs as later where later.test_suite_id = run.test_suite_id and later.git_branch = run.git_branch
      and later.created_at > run.created_at and later.status = 'COMPLETED')
  end`;

function failedSql(viewerId: string, { failed, daysOfFailed }: StartLists): Sql {
  const part = { limit: FAILED_READ, offset: 0, after: null };
  const [newest, bindings] = partSql({ readableBy: viewerId }, { statuses: ['FAILED'] }, part);
  return [
    `select 'failed' as list, run.id, run.created_at from (${newest}) as newest
     join test_runs as run on run.id = newest.id
     where run.created_at > now() - make_interval(days => ?) and not ${SETTLED_SQL}
     order by run.created_at desc, run.id desc limit ${failed}`,
    [...bindings, daysOfFailed],
  ];
}

const Listed = z.object({ list: z.enum(['assigned', 'awaiting', 'followed', 'failed']), id: z.string() });

/** The runs of the start page's lists, each newest first, in two statements. */
export async function findStartRuns(
  db: Db,
  viewerId: string,
  awaitingReview: RunFilter,
  lists: StartLists,
): Promise<Record<z.infer<typeof Listed>['list'], RunWithSuite[]>> {
  const part = { limit: lists.awaiting, offset: 0, after: null };
  const [awaiting, ofAwaiting] = partSql({ reviewableBy: viewerId }, awaitingReview, part);
  const [assigned, ofAssigned] = partSql({ reviewableBy: viewerId }, { ...awaitingReview, assigneeId: viewerId }, part);
  const [followed, ofFollowed] = followedSql(viewerId, lists.followed);
  const [failed, ofFailed] = failedSql(viewerId, lists);
  const listed = await readRows(
    db,
    Listed,
    `(select 'assigned' as list, id, created_at from (${assigned}) as assigned)
     union all (select 'awaiting', id, created_at from (${awaiting}) as awaiting)
     union all (${followed}) union all (${failed})`,
    [...ofAssigned, ...ofAwaiting, ...ofFollowed, ...ofFailed],
  );
  const ids = [...new Set(listed.map(({ id }) => id))];
  const runs = ids.length === 0 ? [] : await findListed(db, ['select unnest(?::uuid[]) as id', [ids]]);
  const of = (list: z.infer<typeof Listed>['list']) => {
    const inList = new Set(listed.flatMap((each) => (each.list === list ? [each.id] : [])));
    return runs.filter(({ id }) => inList.has(id));
  };
  return { assigned: of('assigned'), awaiting: of('awaiting'), followed: of('followed'), failed: of('failed') };
}

import type { Viewer } from '../../auth/user.ts';
import type { Db, Sql } from '../../db/database.ts';
import { SHARED_SUITES_SQL } from '../../suites/readable-sql.ts';
import { findLists, partSql } from './run-list-store.ts';
import type { RunFilter } from './run-list.ts';

/** The maximum number of runs in each list, and from how many they are selected. */
export type StartLists = { awaiting: number; followed: number; failed: number; daysOfFailed: number };

/** More than anybody follows. The most recently followed suites count. */
const FOLLOWS_READ = 200;

/** How many failed runs are read, because later runs may have succeeded. */
const FAILED_READ = 30;

/** The newest run of each suite that the viewer follows and may read. */
function followedSql(viewerId: string, limit: number): Sql {
  return [
    `select newest.id from (
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

function failedSql(viewer: Viewer, { failed, daysOfFailed }: StartLists): Sql {
  const part = { limit: FAILED_READ };
  const [newest, bindings] = partSql({ readableBy: viewer }, { statuses: ['FAILED'] }, part);
  return [
    `select run.id from (${newest}) as newest
     join test_runs as run on run.id = newest.id
     where run.created_at > now() - make_interval(days => ?) and not ${SETTLED_SQL}
     order by run.created_at desc, run.id desc limit ${failed}`,
    [...bindings, daysOfFailed],
  ];
}

/** The runs of the start page's lists, each newest first. */
export async function findStartRuns(db: Db, viewer: Viewer, awaitingReview: RunFilter, lists: StartLists) {
  const reviewable = { reviewableBy: viewer };
  const part = { limit: lists.awaiting };
  return findLists(db, {
    assigned: partSql(reviewable, { ...awaitingReview, assigneeId: viewer.id }, part),
    awaiting: partSql(reviewable, awaitingReview, part),
    followed: followedSql(viewer.id, lists.followed),
    failed: failedSql(viewer, lists),
  });
}

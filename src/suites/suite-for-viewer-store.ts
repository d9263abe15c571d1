import { z } from 'zod';
import { effectiveAccess } from '../access/authorized.ts';
import type { SuiteScope } from '../access/role.ts';
import { personColumn } from '../auth/person-sql.ts';
import { computed, prepared, qualified, readRows, readValue, type Db, type Sql } from '../db/database.ts';
import type { ListPart, TimePlace } from '../db/list-part.ts';
import { anywhere } from '../text/search-words.ts';
import { ownAndSharedSql, readableSuiteIds, SHARED_SUITES_SQL } from './readable-sql.ts';
import {
  FailedCrawl,
  FoundSuite,
  SUITE_COLUMNS,
  SUITE_KINDS,
  suiteFromRow,
  type SuiteForViewer,
  type SuiteKind,
} from './suite.ts';

const COLUMNS = [...qualified('test_suites', SUITE_COLUMNS), 'own_grant.role as granted_role'] as const;

/** Does not count the owner, even if they have a grant. */
const SHARE_COUNT = `(select count(*) from test_suite_grants as shares
  where shares.test_suite_id = test_suites.id and shares.principal_id <> test_suites.user_id)`;

const FOLLOWED = `exists (select from suite_follows as follow
  where follow.user_id = ? and follow.test_suite_id = test_suites.id)`;

/** Suites with their owner, the viewer's own access and the number of shares: one statement for any number of them. */
function suitesFor(db: Db, viewerId: string) {
  return db('test_suites')
    .join('users as owner', 'owner.id', 'test_suites.user_id')
    .leftJoin('test_suite_grants as own_grant', (join) =>
      join
        .on('own_grant.test_suite_id', 'test_suites.id')
        .andOnVal('own_grant.principal_type', 'USER')
        .andOnVal('own_grant.principal_id', viewerId),
    )
    .select([
      ...COLUMNS,
      personColumn(db, 'owner', 'owner'),
      computed(db, 'share_count', 'bigint', SHARE_COUNT),
      computed(db, 'is_followed', 'boolean', FOLLOWED, [viewerId]),
    ]);
}
type Row = Awaited<ReturnType<typeof suitesFor>>[number];

/** Null for a suite that the viewer may not read. */
function toSuiteFor(viewerId: string, row: Row): SuiteForViewer | null {
  const { grantedRole, shareCount, isFollowed, owner, ...suite } = row;
  const access = effectiveAccess(viewerId, { ownerId: suite.userId, grantedRole });
  if (access === null) return null;
  return { ...suiteFromRow(suite), owner, access, shareCount, isFollowed };
}

/** Null when the suite does not exist or the viewer has no access. */
export async function findSuiteFor(db: Db, viewerId: string, id: string): Promise<SuiteForViewer | null> {
  const row = await prepared(db, 'suite', suitesFor(db, viewerId).where({ 'test_suites.id': id })).first();
  return row === null ? null : toSuiteFor(viewerId, row);
}

export async function isReadable(db: Db, viewerId: string, id: string): Promise<boolean> {
  const row = await db('test_suites').where({ id }).whereIn('id', readableSuiteIds(db, viewerId)).first('id');
  return row !== null;
}

/** Following twice is no error. */
export async function insertFollows(db: Db, userId: string, suiteIds: readonly string[]): Promise<void> {
  if (suiteIds.length === 0) return;
  const rows = suiteIds.map((id) => ({ user_id: userId, test_suite_id: id }));
  await db('suite_follows').insert(rows).onConflict(['user_id', 'test_suite_id']).ignore();
}

export async function deleteFollow(db: Db, userId: string, suiteId: string): Promise<void> {
  await db('suite_follows').where({ user_id: userId, test_suite_id: suiteId }).delete();
}

type Filter = { scope: SuiteScope; kind: SuiteKind };

/** The suites that the viewer, who is the binding of each condition, owns, and those shared with them. */
const conditionsOf = (scope: SuiteScope): string[] => [
  ...(scope === 'SHARED' ? [] : ['user_id = ?']),
  ...(scope === 'OWNED' ? [] : [`id in (${SHARED_SUITES_SQL})`]),
];

/**
 * The first suites, in an order, of those that the viewer owns and those shared with them. An index has the owned ones
 * in this order, and the shared ones are few.
 */
function firstSql(viewerId: string, { scope, kind }: Filter, order: string, [after, place]: Sql, limit: number): Sql {
  const parts = conditionsOf(scope).map(
    (of) => `(select id, created_at, name from test_suites where ${of} and kind = ?${after} order by ${order} limit ?)`,
  );
  return [
    `select id from (${parts.join(' union all ')}) as readable order by ${order} limit ?`,
    [...parts.flatMap(() => [viewerId, kind, ...place, limit]), limit],
  ];
}

const OLDEST_FIRST = 'created_at, id';
const BY_NAME = 'lower(name), id';

/** Oldest first. */
export async function findSuitesFor(
  db: Db,
  viewerId: string,
  filter: Filter,
  { limit, after }: ListPart<TimePlace>,
): Promise<(SuiteForViewer & { place: TimePlace })[]> {
  const place: Sql = after === null ? ['', []] : [' and (created_at, id) > (?::timestamptz, ?::uuid)', after];
  const [sql, bindings] = firstSql(viewerId, filter, OLDEST_FIRST, place, limit);
  const rows = await suitesFor(db, viewerId)
    .whereRaw(`test_suites.id in (${sql})`, bindings)
    .orderBy('test_suites.created_at')
    .orderBy('test_suites.id')
    .select(computed(db, 'listed_at', 'text', 'test_suites.created_at'));
  return rows.flatMap(({ listedAt, ...row }) => {
    const suite = toSuiteFor(viewerId, row);
    return suite === null ? [] : [{ ...suite, place: [listedAt, suite.id] }];
  });
}

/** By name, ignoring case. */
export async function findSuitesByName(
  db: Db,
  viewerId: string,
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
): Promise<SuiteForViewer[]> {
  const [sql, bindings] = firstSql(viewerId, filter, BY_NAME, ['', []], limit + offset);
  const rows = await suitesFor(db, viewerId)
    .whereRaw(`test_suites.id in (${sql} offset ?)`, [...bindings, offset])
    .orderByRaw('lower(test_suites.name), test_suites.id');
  return rows.flatMap((row) => toSuiteFor(viewerId, row) ?? []);
}

/** Owned suites are counted by an index alone. */
export async function countSuitesFor(db: Db, viewerId: string, { scope, kind }: Filter): Promise<number> {
  const counts = conditionsOf(scope).map((of) => `(select count(*) from test_suites where ${of} and kind = ?)`);
  const bindings = counts.flatMap(() => [viewerId, kind]);
  return readValue(db, z.number(), `select ${counts.join(' + ')} as count`, bindings);
}

const OfKind = z.object({ kind: z.enum(SUITE_KINDS), count: z.number() });

/** How many suites of each kind the viewer may read, owned and shared. */
export async function countKinds(db: Db, viewerId: string): Promise<Record<SuiteKind, number>> {
  const rows = await readRows(
    db,
    OfKind,
    `select kind, count(*)
     from (${ownAndSharedSql((suites) => `select kind from test_suites where ${suites}`)}) as readable group by kind`,
    [viewerId, viewerId],
  );
  const count = (kind: SuiteKind) => rows.find((row) => row.kind === kind)?.count ?? 0;
  return { SUITE: count('SUITE'), MANUAL: count('MANUAL') };
}

/** Active suites that the viewer may read whose last crawl failed in the last `days`, newest first. */
export async function findFailedCrawls(
  db: Db,
  viewerId: string,
  { limit, days }: { limit: number; days: number },
): Promise<FailedCrawl[]> {
  const failed = (of: string) =>
    `(select id, name, crawl_error as error, last_crawled_at as at from test_suites
      where ${of} and crawl_status = 'FAILED' and is_active and last_crawled_at > now() - make_interval(days => ?)
      order by last_crawled_at desc, id limit ?)`;
  return readRows(
    db,
    FailedCrawl,
    `select * from (${ownAndSharedSql(failed)}) as readable
     order by at desc, id limit ?`,
    [viewerId, days, limit, viewerId, days, limit, limit],
  );
}

/** Suites that the viewer may read with the text in their name or URL, by name. */
export async function findSuitesByText(db: Db, viewerId: string, text: string, limit: number): Promise<FoundSuite[]> {
  const pattern = anywhere(text);
  const matching = (of: string) =>
    `(select id, name, base_url, kind from test_suites
      where ${of} and (name ilike ? or base_url ilike ?) order by lower(name), id limit ?)`;
  const bindings = [viewerId, pattern, pattern, limit];
  return readRows(
    db,
    FoundSuite,
    `select * from (${ownAndSharedSql(matching)}) as readable
     order by lower(name), id limit ?`,
    [...bindings, ...bindings, limit],
  );
}

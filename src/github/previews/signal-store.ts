import { toColumns } from '../../db/camel-case.ts';
import type { Db } from '../../db/database.ts';
import type { CommitKey } from '../../pull-requests/pull-request-run.ts';
import type { RepositoryKey } from '../../suites/suite.ts';
import { followSignal, isOfPreview, SIGNAL_COLUMNS, type HeardSignal, type Signal } from './signal.ts';

/** How many statuses and checks of a commit are kept that may be about anything, and how many signals in total. */
const MOST_OTHERS = 200;
const MOST_PER_COMMIT = 400;
/** How many are kept for a repository, besides those of open pull requests. */
const MOST_PER_REPOSITORY = 10_000;
/** How many signals of a commit a search reads, and how many of a repository for its other projects. */
const MOST_READ = 1000;

/** A signal with the times of its first occurrence and its last change. */
export type SeenSignal = Signal & { createdAt: Date; updatedAt: Date };

const toKey = ({ owner, repo, headSha, source, name, project }: HeardSignal) => ({
  owner,
  repo,
  head_sha: headSha,
  source,
  name,
  project,
});

/** Whether a signal is known or may be added. */
async function hasRoom(trx: Db, told: HeardSignal): Promise<boolean> {
  const { owner, repo, headSha } = told;
  const most = isOfPreview(told) ? MOST_PER_COMMIT : MOST_OTHERS;
  const rows = await trx('preview_signals').where({ owner, repo, head_sha: headSha }).limit(most).select('id');
  return rows.length < most || (await trx('preview_signals').where(toKey(told)).first('id')) !== null;
}

/**
 * Records what an event says, in the caller's transaction. Events of one signal are recorded one at a time. @returns
 * whether it is new: a state, an address or a deployment that was unknown.
 */
export async function hearSignal(trx: Db, told: HeardSignal, at: Date): Promise<boolean> {
  const first = followSignal(null, told);
  if (first === null || !(await hasRoom(trx, told))) return false;
  const inserted = await trx('preview_signals')
    .insert({ ...toColumns(first), created_at: at, updated_at: at })
    .onConflict(['owner', 'repo', 'head_sha', 'source', 'name', 'project'])
    .ignore()
    .returning('id');
  if (inserted.length === 1) return true;
  const known = await trx('preview_signals').where(toKey(told)).forUpdate().first(SIGNAL_COLUMNS);
  const next = known === null ? null : followSignal(known, told);
  if (known === null || next === null) return false;
  const isNews = next.state !== known.state || next.readyKey !== known.readyKey;
  await trx('preview_signals')
    .where(toKey(told))
    .update({ ...toColumns(next), ...(isNews ? { updated_at: at } : {}) });
  return isNews;
}

async function findNewest(db: Db, of: { owner: string; repo: string; head_sha?: string }): Promise<SeenSignal[]> {
  return db('preview_signals')
    .where(of)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(MOST_READ)
    .select(...SIGNAL_COLUMNS, 'created_at', 'updated_at');
}

/** Newest first. */
export const findSignals = async (db: Db, { owner, repo, headSha }: CommitKey): Promise<SeenSignal[]> =>
  findNewest(db, { owner, repo, head_sha: headSha });

/** The host of each of these environments that had one at any commit of the repository. */
export async function findHostsOfEnvironments(
  db: Db,
  { owner, repo }: RepositoryKey,
  names: string[],
): Promise<Map<string, string>> {
  const rows = await db('preview_signals')
    .where({ owner, repo, source: 'DEPLOYMENT' })
    .whereIn('name', names)
    .whereNotNull('host')
    .distinctOn('name')
    .select('name', 'host');
  return new Map(rows.flatMap(({ name, host }) => (host === null ? [] : [[name, host] as const])));
}

/** The newest signals of any commit of the repository, newest first. Names are in lower case. */
export const findSignalsOfRepository = async (db: Db, { owner, repo }: RepositoryKey): Promise<SeenSignal[]> =>
  findNewest(db, { owner, repo });

/**
 * Removes signals that were last changed before that time, and those beyond the number that is kept for a repository.
 * Keeps signals of the heads of open pull requests, which can be run again at any time.
 */
export async function removeSignals(db: Db, before: Date): Promise<void> {
  await db.raw(
    `delete from preview_signals where id in (
       select id from (
         select id, owner, repo, head_sha, updated_at,
                row_number() over (partition by owner, repo order by updated_at desc, id) as place
         from preview_signals
       ) as ranked
       where (updated_at < :before or place > :most)
         and not exists (
           select from pull_requests
           where state = 'OPEN' and pull_requests.owner = ranked.owner and pull_requests.repo = ranked.repo
             and pull_requests.head_sha = ranked.head_sha
         )
     )`,
    { before, most: MOST_PER_REPOSITORY },
  );
}

/** Rows that arrived under the new name before the rename are newer. They replace the rows under the old name. */
export async function renameRepositoryOfSignals(db: Db, from: RepositoryKey, to: RepositoryKey): Promise<void> {
  await db('preview_signals')
    .where(from)
    .whereExists(
      db('preview_signals as newer').where({
        'newer.owner': to.owner,
        'newer.repo': to.repo,
        'newer.head_sha': db.ref('preview_signals.head_sha'),
        'newer.source': db.ref('preview_signals.source'),
        'newer.name': db.ref('preview_signals.name'),
        'newer.project': db.ref('preview_signals.project'),
      }),
    )
    .delete();
  await db('preview_signals')
    .where(from)
    .update({ ...to, updated_at: db.fn.now() });
}

import type { Db } from '../../db/database.ts';
import type { CommitKey } from '../../pull-requests/pull-request-run.ts';
import type { RepositoryKey } from '../../suites/repository-key.ts';
import type { HeardSignal, Signal } from './signal.ts';
import { followSignal } from './signal.ts';

/** As many signals are kept of one commit. */
const MOST_PER_COMMIT = 200;
/** A search looks at as many signals of a commit, and at as many of a repository for its other projects. */
const MOST_READ = 1000;

const COLUMNS = [
  'owner',
  'repo',
  'head_sha',
  'source',
  'name',
  'project',
  'host',
  'state',
  'url',
  'link',
  'ref',
  'on_default_branch',
  'serial',
  'step',
  'ready_key',
] as const;

/** A signal with the times at which it was first heard and last changed. */
export type SeenSignal = Signal & { createdAt: Date; updatedAt: Date };

const toKey = ({ owner, repo, headSha, source, name, project }: HeardSignal) => ({
  owner,
  repo,
  head_sha: headSha,
  source,
  name,
  project,
});

const toColumns = (signal: Signal) => ({
  ...toKey(signal),
  host: signal.host,
  state: signal.state,
  url: signal.url,
  link: signal.link,
  ref: signal.ref,
  on_default_branch: signal.onDefaultBranch,
  serial: signal.serial,
  step: signal.step,
  ready_key: signal.readyKey,
});

async function hasRoom(trx: Db, { owner, repo, headSha }: CommitKey): Promise<boolean> {
  const rows = await trx('preview_signals')
    .where({ owner, repo, head_sha: headSha })
    .limit(MOST_PER_COMMIT)
    .select('id');
  return rows.length < MOST_PER_COMMIT;
}

/**
 * Records what an event says, in the caller's transaction. Events of one signal take turns.
 * @returns whether it is news: a state, an address or a deployment that was not known.
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
  const known = await trx('preview_signals').where(toKey(told)).forUpdate().first(COLUMNS);
  const next = known === undefined ? null : followSignal(known, told);
  if (known === undefined || next === null) return false;
  const isNews = next.state !== known.state || next.readyKey !== known.readyKey;
  await trx('preview_signals')
    .where(toKey(told))
    .update({ ...toColumns(next), ...(isNews ? { updated_at: at } : {}) });
  return isNews;
}

/** Newest first. */
export async function findSignals(db: Db, { owner, repo, headSha }: CommitKey): Promise<SeenSignal[]> {
  return db('preview_signals')
    .where({ owner, repo, head_sha: headSha })
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(MOST_READ)
    .select(...COLUMNS, 'created_at', 'updated_at');
}

/** The newest signals of any commit of the repository, newest first. Names are in lower case. */
export async function findSignalsOfRepository(
  db: Db,
  { owner, repo }: RepositoryKey,
  most = MOST_READ,
): Promise<SeenSignal[]> {
  return db('preview_signals')
    .where({ owner, repo })
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(most)
    .select(...COLUMNS, 'created_at', 'updated_at');
}

/**
 * Keeps those of the heads of open pull requests, which can be run again at any time. Returns the number of removed
 * rows.
 */
export async function removeSignalsBefore(db: Db, before: Date): Promise<number> {
  return db('preview_signals')
    .where('preview_signals.updated_at', '<', before)
    .whereNotExists(
      db('pull_requests').where({
        'pull_requests.state': 'OPEN',
        'pull_requests.owner': db.ref('preview_signals.owner'),
        'pull_requests.repo': db.ref('preview_signals.repo'),
        'pull_requests.head_sha': db.ref('preview_signals.head_sha'),
      }),
    )
    .delete();
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

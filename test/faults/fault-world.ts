import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import type { WorkerContext } from '../../src/context.ts';
import { connect } from '../../src/db/connect.ts';
import { findFaults } from '../../src/fsck/find-faults.ts';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';
import { connectedWorld } from '../github/check-world.ts';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import type { World } from '../support/world.ts';

/** A world with a storage, connected to a GitHub, and the same once more behind a connection that can be cut. */
export type FaultWorld = {
  sound: World;
  /** Its database is reached through the proxy, with a pool of its own that `reconnect` replaces. */
  faulty: () => WorkerContext;
  proxy: DatabaseProxy;
  /** What `pixelgate fsck` finds, checks of pull requests aside: nothing runs the jobs that show them. */
  faults: () => Promise<unknown[]>;
  end: () => Promise<void>;
};

export async function startFaultWorld(): Promise<FaultWorld> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-faults-'));
  const proxy = await startDatabaseProxy(database.url);
  const connected = connectedWorld(database.db);
  const ctx = { ...connected.ctx, storage: createDiskStorage(directory) };
  const sound = { ctx, db: database.db };
  const pool: Knex = connect(proxy.url, { maxConnections: 4, log: ctx.log });
  return {
    sound,
    faulty: () => ({ ...ctx, db: pool }),
    proxy,
    async faults() {
      const found: unknown[] = [];
      for await (const fault of findFaults(ctx, { images: false, checks: false })) found.push(fault);
      return found;
    },
    async end() {
      await pool.destroy();
      await proxy.stop();
      await database.drop();
      await rm(directory, { recursive: true });
    },
  };
}

export const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Names each ID by its first place, and each pull request 7, so that two trials in which the same happened are equal. */
function withoutIds(rows: object, number: number): object {
  const names = new Map<string, string>();
  const text = JSON.stringify(rows).replace(ID, (id) => {
    const name = names.get(id) ?? `#${names.size}`;
    names.set(id, name);
    return name;
  });
  // Events have numbers, which a transaction that was undone has used up.
  return JSON.parse(text.replaceAll(/tell-event\/\d+/g, 'tell-event').replaceAll(String(number), '7'));
}

/**
 * Everything that an operation on a suite may leave: runs, results, versions, logs, decisions, events, deliveries, and jobs.
 * @param number of the suite's pull request
 */
export async function readState({ db }: Pick<World, 'db'>, suiteId: string, number: number): Promise<object> {
  const runs = await db('test_runs')
    .where({ test_suite_id: suiteId })
    .orderBy('created_at')
    .select('id', 'run_type', 'status', 'review_state', 'verdict_number', 'git_pr_number', 'metadata');
  const ids = runs.map(({ id }) => id);
  const rows = {
    runs,
    results: await db('page_results')
      .join('test_runs', 'test_runs.id', 'page_results.test_run_id')
      .whereIn('test_run_id', ids)
      .orderBy(['test_runs.created_at', 'position'])
      .select('page_results.status', 'path', 'viewport', 'cause', 'diff_score', 'current_file', 'diff_file')
      .select('is_new', 'approved', 'carried_over', 'baseline_version_id', 'page_results.verdict_number'),
    versions: await db('baseline_versions')
      .where({ test_suite_id: suiteId })
      .orderBy(['path', 'viewport', 'version'])
      .select('id', 'path', 'version', 'source', 'file_path', 'diff_score', 'note', 'pr_number', 'restored_version'),
    baselines: await db('baselines')
      .where({ test_suite_id: suiteId })
      .orderBy('path')
      .select('path', 'current_version'),
    logs: await db('test_run_logs')
      .join('test_runs', 'test_runs.id', 'test_run_id')
      .whereIn('test_run_id', ids)
      .whereNot('test_run_logs.type', 'DEBUG')
      .orderBy(['test_runs.created_at', 'test_run_logs.number'])
      .select('test_run_id', 'test_run_logs.type', 'message'),
    verdicts: await db('verdicts')
      .whereIn('test_run_id', ids)
      .orderBy('number')
      .select('number', 'decision', 'results'),
    events: await db('events').where({ suite_id: suiteId }).orderBy('id').select('kind', 'run_id', 'details'),
    jobs: await db('graphile_worker.jobs')
      .orderBy(['task_identifier', 'key'])
      .select('task_identifier', 'key', 'queue_name'),
    deliveries: await db('webhook_deliveries')
      .orderBy('sequence')
      .select('event', 'subject', 'failures', db.raw('handled_at is not null as handled')),
  };
  return withoutIds(rows, number);
}

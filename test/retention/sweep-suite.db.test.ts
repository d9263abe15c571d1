import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import { NAMING_SQL } from '../../src/retention/named-object-store.ts';
import { previewSweep } from '../../src/retention/read-storage.ts';
import { sweepSuite } from '../../src/retention/sweep-suite.ts';
import { capturePage } from '../../src/runs/page-jobs/capture-page.ts';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';
import { imageName, thumbnailName } from '../../src/storage/object-name.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import { marked, seeing } from '../runs/one-page.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { expectNoFaultsIn } from '../support/expect-no-faults.ts';
import { approveRun, cancelRun, compareVersions, listVersions, startRun } from '../support/requests.ts';
import { finishedRun, newSuite, newViewer, worldOn, type OwnSuite, type World } from '../support/world.ts';

const DAY = 86_400_000;

let database: TestDatabase;
let directory: string;
let storage: Storage;
let world: World;
let viewer: Viewer;
let suite: OwnSuite;

const bytes = (text: string) => Buffer.from(`not a PNG, but named after its bytes: ${text}`.padEnd(1000));
const nameOf = (text: string) => imageName(suite.id, sha256Of(bytes(text)));
const fileOf = (name: string) => path.join(directory, name);

beforeEach(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-retention-'));
  storage = createDiskStorage(directory);
  world = worldOn(database.db);
  world.ctx.storage = storage;
  world.ctx.config = { ...world.ctx.config, keepRuns: { days: 30, runs: 0 }, removeUnnamed: true };
  viewer = await newViewer(world);
  suite = await newSuite(world, viewer, ['/a', '/b']);
});

afterEach(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

/** A run of so many days ago that ended with these screenshots, all of which are stored. */
async function ranDaysAgo(days: number, texts: Record<string, string>): Promise<string> {
  for (const text of Object.values(texts)) await storage.put(nameOf(text), bytes(text));
  const { run } = await finishedRun(world, viewer, suite, (page) => sha256Of(bytes(texts[page] ?? '')));
  await world.db.raw(`update test_runs set created_at = now() - make_interval(days => ?) where id = ?`, [days, run.id]);
  return run.id;
}

/** What was never reviewed does not wait any more. */
const reviewed = async (id: string) =>
  world.db('test_runs').where({ id, review_state: 'PENDING' }).update({ review_state: 'APPROVED' });

async function age(days: number): Promise<void> {
  const then = new Date(Date.now() - days * DAY);
  for await (const { name } of storage.list('suites/')) await utimes(fileOf(name), then, then);
  await world.db.raw(`update left_objects set left_at = left_at - make_interval(days => ?)`, [days]);
}

const running = () => ({ signal: new AbortController().signal });
const sweep = async () => sweepSuite(world.ctx, { suiteId: suite.id }, running());

async function runIds(): Promise<string[]> {
  return world.db('test_runs').where({ test_suite_id: suite.id }).pluck('id');
}

async function filesOnDisk(): Promise<number> {
  return (await readdir(path.join(directory, 'suites', suite.id))).length;
}

const isStored = async (text: string) => (await storage.stat(nameOf(text))) !== null;

async function columnsOf(table: string): Promise<string[]> {
  const rows = await world.db.raw<{ rows: { columnName: string }[] }>(
    `select column_name from information_schema.columns where table_name = ? and is_generated = 'NEVER'`,
    [table],
  );
  return rows.rows.map(({ columnName }) => columnName);
}

/** Copies of a run and its results, one for each of the days before. */
async function repeatDaily(runId: string, days: number): Promise<void> {
  const runs = await columnsOf('test_runs');
  const results = await columnsOf('page_results');
  const pick = (columns: string[], given: Record<string, string>) =>
    columns.map((column) => given[column] ?? `of.${column}`).join(', ');
  await world.db.raw(
    `create temporary table copies as select gen_random_uuid() as id, day from generate_series(1, ${days}) as day`,
  );
  const run = {
    id: 'copies.id',
    created_at: `of.created_at - make_interval(days => copies.day)`,
    number: '10000 + copies.day',
  };
  await world.db.raw(
    `insert into test_runs (${runs.join(', ')}) select ${pick(runs, { ...run, section_counts: 'array_fill(0, array[7])', approved_results: '0' })} from test_runs as of, copies where of.id = ?`,
    [runId],
  );
  await world.db.raw(
    `insert into page_results (${results.join(', ')}) select ${pick(results, { id: 'gen_random_uuid()', test_run_id: 'copies.id' })} from page_results as of, copies where of.test_run_id = ?`,
    [runId],
  );
}

describe('a year of daily runs', () => {
  it('shrinks to the runs of the last days and what is needed, on disk and in the tables', async () => {
    const first = await ranDaysAgo(300, { '/a': 'a0', '/b': 'b0' });
    for (const month of [9, 8, 7, 6, 5, 4]) {
      await reviewed(await ranDaysAgo(month * 30, { '/a': `a${month}`, '/b': 'b0' }));
    }
    const old = await ranDaysAgo(60, { '/a': 'a60', '/b': 'b0' });
    await reviewed(old);
    await repeatDaily(old, 300);
    const recent = await ranDaysAgo(10, { '/a': 'a10', '/b': 'b0' });
    await reviewed(recent);
    await storage.put(thumbnailName(nameOf('a9'), 100), bytes('small'));
    await age(3);
    await sweep();
    // A job removes 100 of them.
    expect(await previewSweep(world.ctx, suite.id, { days: 5, runs: 0 })).toMatchObject({ runs: 207 });
    while ((await world.db('test_runs').where({ test_suite_id: suite.id })).length > 2) await sweep();
    // The recent run is the latest of both pages.
    expect(await previewSweep(world.ctx, suite.id, { days: 5, runs: 0 })).toMatchObject({ runs: 0 });
    expect((await runIds()).sort()).toEqual([first, recent].sort());
    expect(await world.db('page_results').where({ test_run_id: old })).toEqual([]);
    const before = await filesOnDisk();
    await age(3);
    await sweep();
    expect(await filesOnDisk()).toBe(before - 8);
    expect([await isStored('a0'), await isStored('b0'), await isStored('a10')]).toEqual([true, true, true]);
    expect([await isStored('a9'), await isStored('a60')]).toEqual([false, false]);
    expect(await world.db('left_objects')).toEqual([]);
    await world.db('test_runs').where({ id: recent }).update({ review_state: 'PENDING' });
    await expectNoFaultsIn(world.db, storage);
    const [sum] = await world
      .db('events')
      .where({ kind: 'retention.swept' })
      .select(
        world.db.raw(`sum((details ->> 'runs')::int)::int as runs, sum((details ->> 'objects')::int)::int as objects`),
      );
    expect(sum).toEqual({ runs: 307, objects: 8 });
  }, 120_000);
});

describe('what a change of the setting would free', () => {
  it('is what then goes', async () => {
    await ranDaysAgo(100, { '/a': 'a0', '/b': 'b0' });
    await reviewed(await ranDaysAgo(20, { '/a': 'a1', '/b': 'b0' }));
    await reviewed(await ranDaysAgo(19, { '/a': 'a2', '/b': 'b1' }));
    await reviewed(await ranDaysAgo(2, { '/a': 'a3', '/b': 'b1' }));
    await sweep();
    expect(await previewSweep(world.ctx, suite.id, { days: 30, runs: 0 })).toEqual({ runs: 0, results: 0, bytes: 0 });
    const preview = await previewSweep(world.ctx, suite.id, { days: 10, runs: 0 });
    expect(preview).toEqual({ runs: 2, results: 4, bytes: 2000 });
    expect(await previewSweep(world.ctx, suite.id, { days: 0, runs: 1 })).toEqual(preview);
    expect(await previewSweep(world.ctx, suite.id, { days: 0, runs: 2 })).toMatchObject({ runs: 1, bytes: 1000 });
    expect(await previewSweep(world.ctx, suite.id, { days: 0, runs: 3 })).toMatchObject({ runs: 0 });
    await world
      .db('test_suites')
      .where({ id: suite.id })
      .update({ config: JSON.stringify({ keepDays: 10 }) });
    const before = await filesOnDisk();
    await sweep();
    await age(3);
    await sweep();
    expect(await filesOnDisk()).toBe(before - 2);
    expect((await runIds()).length).toBe(2);
  });
});

describe('a run stays', () => {
  const NEEDS: [string, string][] = [
    ['while it goes on', `status = 'RUNNING', review_state = 'NOT_REQUIRED'`],
    ['while it waits for a review', `review_state = 'PENDING', git_gated = true`],
    ['while changes are requested', 'open_requests = 1'],
  ];

  it.each(NEEDS)('%s', async (_why, change) => {
    await ranDaysAgo(100, { '/a': 'a0', '/b': 'b0' });
    const kept = await ranDaysAgo(90, { '/a': 'a1', '/b': 'b0' });
    const gone = await ranDaysAgo(80, { '/a': 'a1', '/b': 'b0' });
    await reviewed(kept);
    await reviewed(gone);
    await reviewed(await ranDaysAgo(1, { '/a': 'a1', '/b': 'b0' }));
    await world.db.raw(`update test_runs set ${change} where id = ?`, [kept]);
    await sweep();
    expect(await runIds()).toContain(kept);
    expect(await runIds()).not.toContain(gone);
  });

  it('while its pull request is open, and for a week after', async () => {
    await ranDaysAgo(100, { '/a': 'a0', '/b': 'b0' });
    const ids: string[] = [];
    const pulls = [
      ['OPEN', 300],
      ['CLOSED', 3],
      ['MERGED', 30],
    ] as const;
    for (const [index, [state, days]] of pulls.entries()) {
      const id = await ranDaysAgo(90 - index, { '/a': 'a1', '/b': 'b0' });
      await world.db.raw(
        `insert into pull_requests (installation_id, owner, repo, number, state, head_sha, head_branch, base_branch, changed_at)
         values (1, 'octocat', 'site', ?, ?, 'abc', 'topic', 'main', now() - make_interval(days => ?))`,
        [index, state, days],
      );
      await world.db('page_states').where({ test_run_id: id }).delete();
      await world
        .db('test_runs')
        .where({ id })
        .update({ run_type: 'PR', git_owner: 'octocat', git_repo: 'site', git_pr_number: index });
      ids.push(id);
    }
    await reviewed(await ranDaysAgo(1, { '/a': 'a1', '/b': 'b0' }));
    await sweep();
    const left = await runIds();
    expect(ids.map((id) => left.includes(id))).toEqual([true, true, false]);
  });

  it('while a current baseline or the latest result of a page is from it, or it is the newest', async () => {
    const first = await ranDaysAgo(100, { '/a': 'a0', '/b': 'b0' });
    const approved = await ranDaysAgo(90, { '/a': 'a1', '/b': 'b0' });
    await approveRun(world.ctx, viewer, approved, {});
    const between = await ranDaysAgo(80, { '/a': 'a1', '/b': 'b0' });
    const latest = await ranDaysAgo(70, { '/a': 'a1', '/b': 'b0' });
    await sweep();
    expect((await runIds()).sort()).toEqual([first, approved, latest].sort());
    expect(await runIds()).not.toContain(between);
    expect(await world.db('baseline_versions')).toHaveLength(3);
    await expectNoFaultsIn(world.db, storage);
  });

  it('in its first day, whatever the limit', async () => {
    world.ctx.config = { ...world.ctx.config, keepRuns: { days: 0, runs: 1 } };
    for (const text of ['a0', 'a1', 'a2']) await reviewed(await ranDaysAgo(0, { '/a': text, '/b': 'b0' }));
    await sweep();
    expect(await runIds()).toHaveLength(3);
  });
});

it('takes no object unless that is set', async () => {
  world.ctx.config = { ...world.ctx.config, removeUnnamed: false };
  await ranDaysAgo(100, { '/a': 'a0', '/b': 'b0' });
  await reviewed(await ranDaysAgo(90, { '/a': 'a1', '/b': 'b0' }));
  await reviewed(await ranDaysAgo(2, { '/a': 'a0', '/b': 'b0' }));
  await storage.put(nameOf('trial'), bytes('trial'));
  for (let times = 0; times < 3; times += 1) {
    await age(3);
    await sweep();
  }
  expect(await runIds()).toHaveLength(2);
  expect([await isStored('a1'), await isStored('trial')]).toEqual([true, true]);
});

it('stops within a long list of objects when the worker stops', async () => {
  await storage.put(nameOf('trial'), bytes('trial'));
  const stop = new AbortController();
  async function* list(prefix: string) {
    stop.abort(new Error('The worker is stopping'));
    yield* storage.list(prefix);
  }
  const ctx = { ...world.ctx, storage: { ...world.ctx.storage, list } };
  await expect(sweepSuite(ctx, { suiteId: suite.id }, stop)).rejects.toThrow('The worker is stopping');
  await sweep();
});

it('knows every column that names an object', async () => {
  const { rows } = await world.db.raw<{ rows: { tableName: string; columnName: string }[] }>(
    `select table_name, column_name from information_schema.columns where table_schema = current_schema()
     and data_type = 'text' and (column_name like '%\\_file' or column_name in ('file', 'file_path'))`,
  );
  expect(rows.length).toBeGreaterThan(20);
  const unknown = rows.filter(
    ({ tableName, columnName }) => !new RegExp(`\\b${columnName}\\b`).test(NAMING_SQL[tableName] ?? ''),
  );
  expect(unknown).toEqual([]);
});

describe('beside others', () => {
  it('a screenshot that is stored once more stays, and goes later if nothing names it', async () => {
    await ranDaysAgo(100, { '/a': 'a0', '/b': 'b0' });
    await reviewed(await ranDaysAgo(90, { '/a': 'a1', '/b': 'b0' }));
    await reviewed(await ranDaysAgo(1, { '/a': 'a0', '/b': 'b0' }));
    await sweep();
    expect(await isStored('a1')).toBe(true);
    await age(3);
    // A capture stores it, and its row comes later.
    await storage.put(nameOf('a1'), bytes('a1'));
    await sweep();
    expect(await isStored('a1')).toBe(true);
    await expectNoFaultsIn(world.db, storage);
    const { id } = await startRun(world.ctx, viewer, suite, {});
    await world
      .db('page_results')
      .where({ test_run_id: id, path: '/a' })
      .update({ current_file: nameOf('a1') });
    await age(3);
    await sweep();
    expect(await isStored('a1')).toBe(true);
    expect(await world.db('left_objects')).toEqual([]);
  });

  it('a run that somebody changes at the moment stays for the next time', async () => {
    await ranDaysAgo(100, { '/a': 'a0', '/b': 'b0' });
    const old = await ranDaysAgo(90, { '/a': 'a1', '/b': 'b0' });
    await reviewed(old);
    await reviewed(await ranDaysAgo(1, { '/a': 'a0', '/b': 'b0' }));
    const trx = await world.db.transaction();
    await trx('test_runs').where({ id: old }).forUpdate();
    await sweep();
    expect(await runIds()).toContain(old);
    await trx.rollback();
    await sweep();
    expect(await runIds()).not.toContain(old);
  });

  it('a capture that ends after its run has gone leaves the screenshots of the suite alone', async () => {
    await ranDaysAgo(100, { '/a': 'a0', '/b': 'b0' });
    const { id } = await startRun(world.ctx, viewer, suite, {});
    await world.db.raw(`update test_runs set created_at = now() - interval '90 days' where id = ?`, [id]);
    await ranDaysAgo(1, { '/a': 'a0', '/b': 'b0' });
    const put: Storage['put'] = async (name, png) => {
      await storage.put(name, png);
      if (!(await runIds()).includes(id)) return;
      await cancelRun(world.ctx, viewer, id);
      await sweep();
    };
    const ctx = { ...seeing(world, marked([]), {}, true), storage: { ...storage, put } };
    await capturePage(ctx, { runId: id, path: '/a' }, running());
    expect(await runIds()).not.toContain(id);
    expect([await isStored('a0'), await isStored('b0')]).toEqual([true, true]);
  });
});

it('takes what no row names, such as the screenshot of a trial that is forgotten', async () => {
  await ranDaysAgo(1, { '/a': 'a0', '/b': 'b0' });
  await storage.put(nameOf('trial'), bytes('trial'));
  await age(2);
  await sweep();
  expect(await isStored('trial')).toBe(true);
  await expectNoFaultsIn(world.db, storage);
  await age(2);
  await sweep();
  expect(await isStored('trial')).toBe(false);
  expect(await isStored('a0')).toBe(true);
});

it('leaves the screenshots of another suite alone, with which a version was compared', async () => {
  const other = await newSuite(world, viewer, ['/a']);
  const png = { own: marked([5]), others: marked([6]) };
  const captured = async (of: OwnSuite, image: Buffer) => {
    await storage.put(imageName(of.id, sha256Of(image)), image);
    await finishedRun(world, viewer, of, () => sha256Of(image));
    return (await listVersions(world.ctx, of, { path: '/a' }))[0]?.id ?? '';
  };
  // With this threshold no pixel differs, so that the other suite's screenshot stands for the diff image.
  const config = JSON.stringify({ ...suite.config, threshold: 1 });
  await world.db('test_suites').where({ id: suite.id }).update({ config });
  const [fromVersionId, toVersionId] = [await captured(suite, png.own), await captured(other, png.others)];
  const { diffFile } = await compareVersions(world.ctx, viewer, { fromVersionId, toVersionId });
  expect(diffFile).toBe(imageName(other.id, sha256Of(png.others)));
  await world.db.raw(`update screenshot_comparisons set created_at = created_at - interval '91 days'`);
  for (let times = 0; times < 2; times += 1) {
    await age(2);
    await sweep();
  }
  expect(await world.db('left_objects')).toEqual([]);
  expect(await storage.stat(diffFile)).not.toBeNull();
});

it('goes on where it was killed', async () => {
  await ranDaysAgo(100, { '/a': 'a0', '/b': 'b0' });
  for (const text of ['a1', 'a2', 'a3']) await reviewed(await ranDaysAgo(90, { '/a': text, '/b': 'b0' }));
  await reviewed(await ranDaysAgo(1, { '/a': 'a0', '/b': 'b0' }));
  const { signal } = running();
  let steps = 0;
  const throwIfAborted = () => {
    steps += 1;
    if (steps === 2) throw new Error('killed');
  };
  const killed = { signal: Object.assign(signal, { throwIfAborted }) };
  await expect(sweepSuite(world.ctx, { suiteId: suite.id }, killed)).rejects.toThrow('killed');
  expect(await runIds()).toHaveLength(4);
  await sweep();
  expect(await runIds()).toHaveLength(2);
  await age(3);
  let removals = 0;
  world.ctx.storage = {
    ...storage,
    removeOlder: async (name, before) => {
      removals += 1;
      if (removals === 3) throw new Error('killed');
      return storage.removeOlder(name, before);
    },
  };
  await expect(sweep()).rejects.toThrow('killed');
  await expectNoFaultsIn(world.db, storage);
  world.ctx.storage = storage;
  await sweep();
  expect([await isStored('a1'), await isStored('a2'), await isStored('a3')]).toEqual([false, false, false]);
  expect((await stat(fileOf(nameOf('b0')))).isFile()).toBe(true);
  await expectNoFaultsIn(world.db, storage);
});

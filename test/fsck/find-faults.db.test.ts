import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { runFsck } from '../../src/fsck.ts';
import type { Fault } from '../../src/fsck/fault.ts';
import { findFaults } from '../../src/fsck/find-faults.ts';
import { enqueue } from '../../src/queue/enqueue.ts';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';
import { buildFileName, elementsName, imageName, thumbnailName } from '../../src/storage/object-name.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { approveRun, startRun } from '../support/requests.ts';
import { finishedRun, newSuite, newViewer, worldOn, type OwnSuite, type World } from '../support/world.ts';

const OLD = new Date(Date.now() - 2 * 3_600_000);
const YESTERDAY = new Date(Date.now() - 25 * 3_600_000);
const GONE = '00000000-0000-4000-8000-000000000000';

let database: TestDatabase;
let directory: string;
let storage: Storage;
let world: World;
let suite: OwnSuite;
/** The run whose changes were approved. */
let approved: { id: string };
/** The newest run: a change awaits review, and a page could not be captured. */
let open: { id: string };
let inFlight: { id: string; testSuiteId: string };

const bytes = (text: string) => Buffer.from(`not a PNG, but named after its bytes: ${text}`);
const hashOf = (text: string) => sha256Of(bytes(text));
const fileOf = (name: string) => path.join(directory, 'files', name);

beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-fsck-'));
  storage = createDiskStorage(path.join(directory, 'files'));
  world = worldOn(database.db);
  world.ctx.storage = storage;
  const viewer = await newViewer(world);
  suite = await newSuite(world, viewer, ['/a', '/b']);
  const shows = async (texts: Record<string, string>) => {
    for (const text of Object.values(texts)) await storage.put(imageName(suite.id, hashOf(text)), bytes(text));
    const choose = (page: string) => {
      const text = texts[page];
      if (text === undefined) throw new Error('It cannot be captured');
      return hashOf(text);
    };
    return (await finishedRun(world, viewer, suite, choose)).run;
  };
  await shows({ '/a': 'a1', '/b': 'b1' });
  for (const text of ['a2', 'a3']) {
    approved = await shows({ '/a': text, '/b': 'b1' });
    await approveRun(world.ctx, viewer, approved.id, {});
  }
  open = await shows({ '/a': 'a4' });
  inFlight = await startRun(world.ctx, viewer, suite, {});
});

afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

async function look(db: Knex, images = false): Promise<Fault[]> {
  const faults: Fault[] = [];
  for await (const fault of findFaults({ db, storage, clock: world.ctx.clock }, { images, checks: true }))
    faults.push(fault);
  return faults;
}

/** What is found after this change, which is then undone. */
async function foundAfter(change: (trx: Knex.Transaction) => Promise<unknown>): Promise<Fault[]> {
  const trx = await database.db.transaction();
  try {
    await change(trx);
    return await look(trx);
  } finally {
    await trx.rollback();
  }
}

const foundAfterSql = async (sql: string, bindings: string[] = []) => foundAfter(async (trx) => trx.raw(sql, bindings));

const runOf = ({ id }: { id: string }) => `run ${id}`;

/** The words of `pixelgate fsck` with the settings of a service. */
async function command(args: string[], env: Record<string, string> = {}) {
  const printed: string[] = [];
  const said: string[] = [];
  const terminal = {
    say: (text: string) => void said.push(text),
    print: (text: string) => void printed.push(text),
    env: { DATABASE_URL: database.url, DATA_DIR: directory, ...env },
  };
  return { code: await runFsck(args, terminal), printed, said };
}

it('finds nothing where nothing is wrong', async () => {
  expect(await look(database.db, true)).toEqual([]);
  expect(await command(['--images'])).toEqual({ code: 0, printed: [], said: ['No faults'] });
});

describe('versions', () => {
  it('have no gap', async () => {
    const found = await foundAfterSql(`delete from baseline_versions where path = '/a' and version = 2`);
    expect(found).toMatchObject([
      {
        kind: 'version_gap',
        suiteId: suite.id,
        subject: '/a at desktop',
        message: 'its 2 versions are numbered 1 to 3',
      },
    ]);
  });

  it('are pointed at by the newest', async () => {
    const pointer = { kind: 'wrong_pointer', suiteId: suite.id, subject: '/a at desktop' };
    const back = await foundAfterSql(
      `update baselines set current_version = version, current_version_id = versions.id, file_path = versions.file_path
       from baseline_versions as versions
       where versions.path = '/a' and version = 2 and baselines.path = '/a'`,
    );
    expect(back).toMatchObject([pointer]);
    const otherFile = await foundAfterSql(`update baselines set file_path = (
        select file_path from baseline_versions where path = '/b'
      ) where path = '/a'`);
    expect(otherFile).toMatchObject([pointer]);
    expect(await foundAfterSql(`update baselines set is_approved = false where path = '/a'`)).toMatchObject([pointer]);
    const removed = await foundAfterSql(`delete from baselines where path = '/a'`);
    expect(removed).toMatchObject([{ ...pointer, message: 'it has versions and no baseline' }]);
  });

  it('come from one result once, unless its approval was undone in between', async () => {
    const columns = 'test_suite_id, path, url, viewport, file_path, approved_by, test_run_id';
    const append = async (trx: Knex.Transaction, version: number, isUndo: boolean) => {
      const [result, undone, source] = isUndo
        ? ['null', 'page_result_id', 'API']
        : ['page_result_id', 'null', 'MANUAL'];
      await trx.raw(
        `insert into baseline_versions (${columns}, version, source, page_result_id, undone_result_id)
         select ${columns}, ?, ?, ${result}, ${undone} from baseline_versions where path = '/a' and version = 3`,
        [version, source],
      );
      await trx.raw(
        `update baselines set current_version = version, current_version_id = versions.id
         from baseline_versions as versions where versions.path = '/a' and version = ? and baselines.path = '/a'`,
        [version],
      );
    };
    const afterVersions = async (...undoes: boolean[]) =>
      foundAfter(async (trx) => {
        for (const [at, isUndo] of undoes.entries()) await append(trx, 4 + at, isUndo);
      });
    const twice = { kind: 'promoted_twice', suiteId: suite.id, subject: '/a at desktop' };
    const again = await afterVersions(false);
    expect(again).toMatchObject([
      { ...twice, message: expect.stringMatching(/^versions 3, 4 are all of the result /) },
    ]);
    expect(await afterVersions(true, false)).toEqual([]);
    expect(await afterVersions(true, false, false)).toMatchObject([
      { ...twice, message: expect.stringMatching(/^versions 5, 6 are all of the result /) },
    ]);
  });
});

describe('runs', () => {
  it.each([
    ['a counter', `update test_runs set metadata = metadata || '{"passedTests": 7}' where id = ?`],
    ['the results in a section', 'update test_runs set section_counts[6] = 1 where id = ?'],
    ['the approved results', 'update test_runs set approved_results = 1 where id = ?'],
    ['the number of results', 'update test_runs set total_results = 9 where id = ?'],
    ['the status', `update test_runs set status = 'FAILED' where id = ?`],
  ])('say what their results say: %s', async (_, sql) => {
    const found = await foundAfterSql(sql, [open.id]);
    expect(found).toMatchObject([{ kind: 'wrong_count', suiteId: suite.id, subject: runOf(open) }]);
  });

  it('have the gate that their results make', async () => {
    const opened = await foundAfterSql(`update test_runs set review_state = 'PENDING' where id = ?`, [approved.id]);
    expect(opened).toMatchObject([
      { kind: 'wrong_gate', subject: runOf(approved), message: 'its gate is PENDING, its results say APPROVED' },
    ]);
    const passed = await foundAfterSql(`update test_runs set review_state = 'NOT_REQUIRED' where id = ?`, [open.id]);
    expect(passed).toMatchObject([{ kind: 'wrong_gate', subject: runOf(open) }]);
    const other = await foundAfterSql(
      `update page_results set cause = 'DRIFT' where test_run_id = ?
      and status = 'FAIL'`,
      [open.id],
    );
    expect(other).toMatchObject([{ kind: 'wrong_gate', subject: runOf(open) }]);
  });

  it('may be behind their results while a job judges them again', async () => {
    const found = await foundAfter(async (trx) => {
      await trx('test_runs').where({ id: open.id }).update({ review_state: 'APPROVED' });
      await enqueue(trx, 'judge-run', { runId: open.id });
    });
    expect(found).toEqual([]);
  });

  it('that have ended have no unsettled result', async () => {
    const found = await foundAfterSql(`update test_runs set status = 'CANCELLED' where id = ?`, [inFlight.id]);
    expect(found).toMatchObject([
      { kind: 'unsettled_result', subject: runOf(inFlight), message: 'it has ended with 2 unsettled' },
    ]);
  });

  it('in flight have a slot that works on what is not settled', async () => {
    const job = `delete from graphile_worker._private_jobs where payload ->> 'suiteId' = ? and payload -> 'slot' is not null`;
    const found = await foundAfterSql(job, [inFlight.testSuiteId]);
    const message = 'no slot of its suite is to capture its pages';
    expect(found).toMatchObject([{ kind: 'run_without_job', subject: runOf(inFlight), message }]);
  });

  it('whose results are settled have a job that ends them', async () => {
    const settle = `update page_results set status = 'ERROR' where test_run_id = ?`;
    const found = await foundAfterSql(settle, [inFlight.id]);
    expect(found).toMatchObject([{ kind: 'run_without_job', subject: runOf(inFlight), message: 'no job ends it' }]);
    const ending = await foundAfter(async (trx) => {
      await trx.raw(settle, [inFlight.id]);
      await enqueue(trx, 'finish-run', { runId: inFlight.id });
    });
    expect(ending).toEqual([]);
  });
});

describe('checks', () => {
  const OF_PULL_REQUEST = `update test_runs
    set run_type = 'PR', git_owner = 'acme', git_repo = 'web', git_pr_number = 7, git_head_sha = repeat('a', 40),
        git_installation_id = 1, check_name = 'Pixelgate', check_shown = ?::jsonb
    where id = ?`;
  const shown = (conclusion: string) =>
    JSON.stringify({ state: 'shown', fingerprint: 'x', status: 'completed', conclusion });

  it('are shown as the run says', async () => {
    expect(await foundAfterSql(OF_PULL_REQUEST, [shown('success'), approved.id])).toEqual([]);
    const found = await foundAfterSql(OF_PULL_REQUEST, [shown('action_required'), approved.id]);
    const message = 'its check should be success, and GitHub shows action_required';
    expect(found).toMatchObject([{ kind: 'check_behind', suiteId: suite.id, subject: runOf(approved), message }]);
    const never = await foundAfterSql(OF_PULL_REQUEST, ['{"state":"creating"}', approved.id]);
    expect(never).toMatchObject([{ kind: 'check_behind', subject: runOf(approved) }]);
  });

  it('may be behind while a job shows them, and where GitHub no longer takes them', async () => {
    const showing = await foundAfter(async (trx) => {
      await trx.raw(OF_PULL_REQUEST, [shown('failure'), approved.id]);
      await enqueue(trx, 'show-check', { runId: approved.id });
    });
    expect(showing).toEqual([]);
    expect(await foundAfterSql(OF_PULL_REQUEST, ['{"state":"gone","reason":"x"}', approved.id])).toEqual([]);
  });

  it('of waiting runs have a job that looks for the preview', async () => {
    const waiting = async (trx: Knex.Transaction) => {
      await trx('page_results').where({ test_run_id: inFlight.id }).delete();
      await trx('test_runs').where({ id: inFlight.id }).update({ total_results: 0 });
      await trx.raw(OF_PULL_REQUEST, ['{"state":"gone","reason":"x"}', inFlight.id]);
    };
    expect(await foundAfter(waiting)).toMatchObject([
      { kind: 'run_without_job', subject: runOf(inFlight), message: 'no job looks for its preview' },
    ]);
    const due = await foundAfter(async (trx) => {
      await waiting(trx);
      await enqueue(trx, 'expire-preview', { runId: inFlight.id });
    });
    expect(due).toEqual([]);
  });
});

describe('objects', () => {
  it('that rows name are there', async () => {
    for (const text of ['a2', 'a4']) {
      const name = imageName(suite.id, hashOf(text));
      await rm(fileOf(name));
      const found = await look(database.db);
      await storage.put(name, bytes(text));
      expect(found).toMatchObject([{ kind: 'missing_object', suiteId: suite.id, subject: name }]);
    }
  });

  it('may be gone with a deleted suite, with which a version was compared', async () => {
    const found = await foundAfterSql(
      `insert into screenshot_comparisons (test_suite_id, from_file, to_file, threshold, alignment, diff_file,
         diff_percentage, width, height, regions) values (?, ?, ?, 0, true, ?, 0, 1, 1, '[]')`,
      [suite.id, imageName(suite.id, hashOf('a1')), imageName(GONE, hashOf('a9')), imageName(GONE, hashOf('a9'))],
    );
    expect(found).toEqual([]);
  });

  it('have the bytes that their names say, when all of them are read', async () => {
    const name = imageName(suite.id, hashOf('a1'));
    const before = await readFile(fileOf(name));
    await writeFile(fileOf(name), 'something else');
    expect(await look(database.db)).toEqual([]);
    const found = await look(database.db, true);
    expect(found).toMatchObject([{ kind: 'changed_object', suiteId: suite.id, subject: name }]);
    const told = await command(['--images', '--json']);
    expect(told).toMatchObject({ code: 1, said: ['1 fault'] });
    expect(told.printed.map((line) => JSON.parse(line))).toEqual(found);
    await writeFile(fileOf(name), before);
  });

  it.each([
    ['an image', () => ({ suiteId: suite.id, name: imageName(suite.id, hashOf('nobody')) })],
    ['an element map', () => ({ suiteId: suite.id, name: elementsName(suite.id, hashOf('nobody')) })],
    [
      'a thumbnail of nothing',
      () => ({ suiteId: suite.id, name: thumbnailName(imageName(suite.id, hashOf('nobody')), 320) }),
    ],
    ['a file of a build', () => ({ suiteId: suite.id, name: buildFileName(suite.id, GONE, hashOf('nobody')) })],
    ['anything else', () => ({ suiteId: suite.id, name: `suites/${suite.id}/notes.txt` })],
    ['what is left of a deleted suite', () => ({ suiteId: GONE, name: imageName(GONE, hashOf('nobody')) })],
    ['what is in no folder of a suite', () => ({ suiteId: null, name: 'suites/notes/x.png' })],
  ])('are named by a row, once they are an hour old: %s', async (_, which) => {
    const { suiteId, name } = which();
    await storage.put(name, bytes('nobody'));
    expect(await look(database.db)).toEqual([]);
    await utimes(fileOf(name), OLD, OLD);
    const found = await look(database.db);
    await rm(fileOf(name));
    expect(found).toEqual([{ kind: 'unnamed_object', suiteId, subject: name, message: 'no row names it' }]);
  });

  it('may be left of what a job is about to remove, and be thumbnails of images that are named', async () => {
    const names = [
      imageName(GONE, hashOf('nobody')),
      buildFileName(suite.id, GONE, hashOf('nobody')),
      thumbnailName(imageName(suite.id, hashOf('a1')), 320),
    ];
    for (const name of names) await storage.put(name, bytes('nobody'));
    for (const name of names) await utimes(fileOf(name), OLD, OLD);
    const found = await foundAfter(async (trx) => {
      await enqueue(trx, 'remove-suite-objects', { suiteId: GONE });
      await enqueue(trx, 'remove-build-objects', { suiteId: suite.id, storedAs: GONE });
    });
    for (const name of names) await rm(fileOf(name));
    expect(found).toEqual([]);
  });
});

describe('pixelgate fsck', () => {
  it('says one line for each fault', async () => {
    await database.db('test_runs').where({ id: open.id }).update({ review_state: 'APPROVED' });
    const told = await command([]);
    await database.db('test_runs').where({ id: open.id }).update({ review_state: 'PENDING' });
    expect(told).toEqual({
      code: 1,
      printed: [`wrong_gate: suite ${suite.id}: run ${open.id}: its gate is APPROVED, its results say PENDING`],
      said: ['1 fault'],
    });
  });

  it('removes what no row names, once it is a day old and only when asked', async () => {
    const named = imageName(suite.id, hashOf('a1'));
    const [young, old] = ['young', 'old'].map((text) => imageName(suite.id, hashOf(text)));
    for (const name of [young, old]) await storage.put(name ?? '', bytes('nobody'));
    await utimes(fileOf(young ?? ''), OLD, OLD);
    await utimes(fileOf(old ?? ''), YESTERDAY, YESTERDAY);
    await utimes(fileOf(named), YESTERDAY, YESTERDAY);
    const says = (name: string | undefined) => `unnamed_object: suite ${suite.id}: ${name}: no row names it`;
    const looked = await command([]);
    expect([looked.code, looked.printed.toSorted()]).toEqual([1, [says(young), says(old)].toSorted()]);
    const removed = await command(['--remove-unnamed']);
    expect(removed).toEqual({ code: 1, printed: [says(young)], said: ['Removed 1 object', '1 fault'] });
    await rm(fileOf(young ?? ''));
    expect(await command(['--remove-unnamed'])).toMatchObject({ code: 0, said: ['Removed 0 objects', 'No faults'] });
    expect(await storage.get(named)).not.toBeNull();
  });

  it.each([
    ['an option that it does not know', ['--repair'], {}],
    ['a setting that is not valid', [], { PORT: 'x' }],
    ['a database that does not answer', [], { DATABASE_URL: 'postgresql://127.0.0.1:1/none' }],
    ['no database at all', [], { DATABASE_URL: '', DATA_DIR: '/nowhere' }],
  ])('cannot look with %s', async (_, args, env) => {
    const told = await command(args, env);
    expect(told).toMatchObject({ code: 2, printed: [] });
    expect(told.said).toHaveLength(1);
  });
});

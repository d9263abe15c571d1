import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { CaptureError, type CaptureWarning } from '../../../src/capture/browser/browser.ts';
import { toExchange } from '../../../src/capture/manifest/exchange.ts';
import type { Db } from '../../../src/db/database.ts';
import { siteBase } from '../../../src/net/site-base.ts';
import { carryOverStack } from '../../../src/pull-requests/carry-over-stack.ts';
import { finishRun } from '../../../src/runs/end-run.ts';
import { readLogs } from '../../../src/runs/log/read-logs.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { comparePage } from '../../../src/runs/page-jobs/compare-page.ts';
import { judgeProofs } from '../../../src/runs/proofs/judge-proofs.ts';
import { isSampled } from '../../../src/runs/proofs/proof.ts';
import { getRunFor } from '../../../src/runs/read-run.ts';
import { renderProven, rerunAllErrors } from '../../../src/runs/rerun-errors.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import type { StartRun } from '../../../src/runs/start-run.ts';
import type { SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';
import { someoneWaits } from '../../support/database.ts';
import { readRun, startRun } from '../../support/requests.ts';
import { newSuite, newViewer, SITE, type OwnSuite, type World } from '../../support/world.ts';
import { marked, seeing, worldWithStorage } from '../one-page.ts';

const PREVIEW = 'http://preview.test';
const BEFORE = marked([5]);
const AFTER = marked([5, 50]);
const JOB = { signal: new AbortController().signal };
const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** In the sample of the run with this number, and in none of the next ones. */
const pagesFor = (number: number, sampled: boolean, count: number) =>
  Array.from({ length: 500 }, (_, at) => `/page-${at}`)
    .filter((path) => isSampled({ number }, path) === sampled && !isSampled({ number: number + 1 }, path))
    .slice(0, count);

let world: World & { end: () => Promise<void> };

beforeAll(async () => {
  world = await worldWithStorage();
});

afterAll(async () => {
  await world.end();
});

type Of = { viewer: Viewer; suite: OwnSuite; paths: string[] };

async function suiteOf(paths: string[], config: SuiteConfigInput = {}): Promise<Of> {
  const viewer = await newViewer(world);
  const viewports = [{ name: 'desktop', width: 100, height: 200 }];
  const own = { viewports, control: false, reuseUnchanged: 'on' as const, ...config };
  return { viewer, suite: await newSuite(world, viewer, paths, own), paths };
}

type Shown = {
  sees?: (path: string) => Buffer;
  serves?: (path: string) => string;
  warnings?: CaptureWarning[];
  cut?: boolean;
  fails?: (path: string) => boolean;
};

/** Does the jobs of a run's pages. What is seen, and served, depends on the page. */
async function capture(
  { viewer, paths }: Of,
  id: string,
  { sees = () => BEFORE, serves = (path) => path, fails = () => false, ...seen }: Shown,
): Promise<void> {
  const { run } = await readRun(world.ctx, viewer, id, 'suite.read');
  const [base, site] = [siteBase(run.targetBaseUrl), siteBase(SITE)];
  for (const path of paths) {
    const served = { url: base.origin + path, kind: 'document', asked: {}, status: 200, answered: HTML };
    const exchanges = [toExchange({ base, site }, { ...served, body: Buffer.from(serves(path)) })];
    const ctx = seeing(world, sees(path), { recorded: { exchanges, literal: false, obstacles: [] }, ...seen }, true);
    const fetch: typeof ctx.network.fetch = async ({ url }) => ({
      status: 200,
      headers: HTML,
      body: Buffer.from(serves(new URL(url).pathname)),
      truncated: false,
    });
    const failing = { ...ctx.browser, capture: async () => Promise.reject(new CaptureError('It failed')) };
    const own = { ...ctx, browser: fails(path) ? failing : ctx.browser, network: { ...ctx.network, fetch } };
    await capturePage(own, { runId: id, path }, JOB);
    await comparePage(own, { runId: id, path });
  }
}

/** Does all jobs of a run. */
async function work(of: Of, id: string, shown: Shown): Promise<Map<string, PageResult>> {
  await capture(of, id, shown);
  await finishRun(world.ctx, { runId: id }, carryOverStack);
  return read(of.viewer, id);
}

async function read(viewer: Viewer, id: string): Promise<Map<string, PageResult>> {
  const { results } = await readRun(world.ctx, viewer, id, 'suite.read');
  return new Map(results.map((result) => [result.path, result]));
}

async function begin({ viewer, suite }: Of, start: StartRun = {}): Promise<string> {
  return (await startRun(world.ctx, viewer, suite, start)).id;
}

const preview = { targetBaseUrl: PREVIEW };
const statesOf = (results: Map<string, PageResult>) => [...results.values()].map(({ proof }) => proof?.state ?? null);
const recordOf = async ({ suite }: Of) =>
  (await world.db('test_suites').where({ id: suite.id }).first('proof_record'))?.proofRecord;

describe('proofs in a run', () => {
  it('settle what is served as before, in one step, and finish the run', async () => {
    const of = await suiteOf(pagesFor(2, false, 5));
    await work(of, await begin(of), {});
    const id = await begin(of, preview);
    const results = await work(of, id, { sees: () => AFTER });
    expect(statesOf(results)).toEqual(of.paths.map(() => 'USED'));
    expect([...results.values()].every(({ status, screenshots }) => status === 'PASS' && screenshots === 0)).toBe(true);
    const { run } = await readRun(world.ctx, of.viewer, id, 'suite.read');
    expect(run).toMatchObject({ status: 'COMPLETED', metadata: { totalScreenshots: 5, provenScreenshots: 5 } });
    expect(await recordOf(of)).toEqual({ runs: 1, screenshots: 5, proven: 5, wrong: 0 });
  });

  it('are counted and not used for ten runs', async () => {
    const of = await suiteOf(pagesFor(2, false, 1), { reuseUnchanged: 'shadow' });
    await work(of, await begin(of), {});
    const states: (string | null)[] = [];
    for (let runs = 0; runs < 11; runs += 1) states.push(...statesOf(await work(of, await begin(of, preview), {})));
    expect(states.slice(0, 10)).toEqual(states.slice(0, 10).map(() => 'SHADOW'));
    expect(states[10]).not.toBe('SHADOW');
    expect(await recordOf(of)).toEqual({ runs: 11, screenshots: 11, proven: 11, wrong: 0 });
  });

  it('are counted once in a run whose errors are captured again', async () => {
    const of = await suiteOf(pagesFor(2, false, 2), { reuseUnchanged: 'shadow' });
    await work(of, await begin(of), {});
    const id = await begin(of, preview);
    await work(of, id, { fails: (path) => path === of.paths[0] });
    await rerunAllErrors(world.ctx, await getRunFor(world.ctx, of.viewer, id, 'suite.run'));
    const results = await work(of, id, {});
    expect([...results.values()].map(({ status }) => status)).toEqual(['PASS', 'PASS']);
    expect(await recordOf(of)).toMatchObject({ runs: 1 });
  });

  it('begin anew when a screenshot contradicts one', async () => {
    const of = await suiteOf(pagesFor(2, false, 2), { reuseUnchanged: 'shadow' });
    await work(of, await begin(of), {});
    await work(of, await begin(of, preview), {});
    const id = await begin(of, preview);
    const results = await work(of, id, { sees: (path) => (path === of.paths[0] ? AFTER : BEFORE) });
    expect(results.get(of.paths[0] ?? '')).toMatchObject({ status: 'FAIL', proof: { state: 'SHADOW' } });
    expect(await recordOf(of)).toEqual({ runs: 0, screenshots: 2, proven: 2, wrong: 1 });
  });

  it('begin anew, also when another run ends at the same moment', async () => {
    const of = await suiteOf(pagesFor(3, false, 2), { reuseUnchanged: 'shadow' });
    await work(of, await begin(of), {});
    const [right, wrong] = [await begin(of, preview), await begin(of, preview)];
    await capture(of, right, {});
    await capture(of, wrong, { sees: () => AFTER });
    const first = await world.db.transaction();
    const end = async (trx: Db, id: string) =>
      judgeProofs(trx, await getRunFor(world.ctx, of.viewer, id, 'suite.read'));
    await end(first, wrong);
    const second = world.db.transaction(async (trx) => end(trx, right));
    await someoneWaits(world.db);
    await first.commit();
    await second;
    expect(await recordOf(of)).toEqual({ runs: 1, screenshots: 4, proven: 4, wrong: 2 });
  });

  it('are all dropped when the sample contradicts one', async () => {
    const [sampled = '', ...others] = [...pagesFor(2, true, 1), ...pagesFor(2, false, 3)];
    const of = await suiteOf([sampled, ...others]);
    await work(of, await begin(of), {});
    const id = await begin(of, preview);
    const found = await work(of, id, { sees: () => AFTER });
    expect(found.get(sampled)).toMatchObject({ status: 'FAIL', proof: { state: 'SAMPLE' } });
    expect(others.map((path) => found.get(path))).toMatchObject(
      others.map(() => ({ status: 'PENDING', currentFile: null, proof: { state: 'DROPPED' } })),
    );
    const captured = await work(of, id, { sees: () => AFTER });
    expect([...captured.values()].map(({ status }) => status)).toEqual(of.paths.map(() => 'FAIL'));
    expect(await recordOf(of)).toMatchObject({ runs: 0, wrong: 4 });
    const run = await getRunFor(world.ctx, of.viewer, id, 'suite.read');
    const { items } = await readLogs(world.ctx, run, { limit: 100, after: null });
    expect(items.filter(({ metadata }) => metadata?.['code'] === 'proof_wrong')).not.toEqual([]);
    expect(run.status).toBe('COMPLETED');
    const states = statesOf(await work(of, await begin(of, preview), {}));
    expect(states).toEqual(of.paths.map(() => null));
  });

  it('are not made for a page that had changes in the run before', async () => {
    const of = await suiteOf(pagesFor(2, false, 2));
    const [changed = '', other = ''] = of.paths;
    await work(of, await begin(of), {});
    const serves = (path: string) => (path === changed ? 'changed' : path);
    const sees = (path: string) => (path === changed ? AFTER : BEFORE);
    await work(of, await begin(of, preview), { serves, sees });
    const results = await work(of, await begin(of, preview), {});
    expect(results.get(changed)).toMatchObject({ proof: null, status: 'PASS', screenshots: 1 });
    expect(results.get(other)?.proof).not.toBeNull();
  });

  it('are not made where a run renders everything, or captures otherwise', async () => {
    const of = await suiteOf(pagesFor(2, false, 1));
    await work(of, await begin(of), {});
    expect(statesOf(await work(of, await begin(of, { ...preview, render: true }), {}))).toEqual([null]);
    await world
      .db('test_suites')
      .where({ id: of.suite.id })
      .update({
        config: JSON.stringify({ ...of.suite.config, customCss: 'p { color: red }' }),
      });
    const other = { ...of, suite: { ...of.suite, config: { ...of.suite.config, customCss: 'p { color: red }' } } };
    expect(statesOf(await work(of, await begin(other, preview), {}))).toEqual(['ASKED']);
  });

  it('are not made where the screenshot of the baseline is no reference', async () => {
    const late = [{ code: 'images_not_loaded', message: 'One image did not load in time' }];
    const missing = [{ code: 'element_missing', message: '.gone did not appear in time' }];
    for (const { state, ...seen } of [
      { warnings: late, state: 'ASKED' },
      { cut: true, state: 'ASKED' },
      { warnings: missing, state: 'USED' },
    ]) {
      const of = await suiteOf(pagesFor(2, false, 1));
      await work(of, await begin(of), seen);
      expect(statesOf(await work(of, await begin(of, preview), {}))).toEqual([state]);
    }
  });

  it('give way to screenshots when somebody wants to see them', async () => {
    const of = await suiteOf(pagesFor(2, false, 3));
    await work(of, await begin(of), {});
    const id = await begin(of, preview);
    await work(of, id, {});
    const run = await getRunFor(world.ctx, of.viewer, id, 'suite.run');
    expect(await renderProven(world.ctx, run)).toBe(3);
    const results = await work(of, id, {});
    expect([...results.values()]).toMatchObject(of.paths.map(() => ({ status: 'PASS', screenshots: 1 })));
    await expect(renderProven(world.ctx, run)).rejects.toThrow('Nothing in this run was proven unchanged');
  });
});

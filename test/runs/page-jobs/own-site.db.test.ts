import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import type { CaptureRequest } from '../../../src/capture/browser/capture-request.ts';
import { toExchange } from '../../../src/capture/manifest/exchange.ts';
import type { WorkerContext } from '../../../src/context.ts';
import { siteBase } from '../../../src/net/site-base.ts';
import { carryOverStack } from '../../../src/pull-requests/carry-over-stack.ts';
import { finishRun } from '../../../src/runs/end-run.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { comparePage } from '../../../src/runs/page-jobs/compare-page.ts';
import type { ProofRecord } from '../../../src/runs/proofs/proof.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import type { StartRun } from '../../../src/runs/start-run.ts';
import type { SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';
import { readLogs, startRun } from '../../support/requests.ts';
import { SITE, type OwnSuite } from '../../support/world.ts';
import { marked, onlyPage, onlyResult, seeing, worldWithStorage } from '../one-page.ts';

const PREVIEW = 'http://preview.test';
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const [BASELINE, SHOWN] = [marked([]), marked([20])];
const JOB = { signal: new AbortController().signal };

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

/** How a server looks, and what it serves. */
type Server = { shows: Buffer; serves: string };
type Servers = { site: Server; preview: Server };
const AS_BEFORE: Server = { shows: BASELINE, serves: 'before' };
const CHANGED: Server = { shows: SHOWN, serves: 'changed' };

let page: { viewer: Viewer; suite: OwnSuite };
async function withBaseline(config: SuiteConfigInput = {}): Promise<void> {
  page = await onlyPage(world, config);
  await run({ site: AS_BEFORE, preview: AS_BEFORE }, {});
}
beforeEach(async () => withBaseline());

/** Screenshots that were taken, and addresses that were asked for. */
let captured: string[] = [];
let asked: string[] = [];

function workerOf({ site, preview }: Servers): WorkerContext {
  const serverOf = (url: string) => (url.startsWith(SITE) ? site : preview);
  const capture: WorkerContext['browser']['capture'] = async (request: CaptureRequest, isOver) => {
    captured.push(request.url);
    const { shows, serves } = serverOf(request.url);
    const base = siteBase(new URL(request.url).origin);
    const served = { url: request.url, kind: 'document', asked: {}, status: 200, answered: HTML };
    const exchanges = [toExchange({ base, site: siteBase(SITE) }, { ...served, body: Buffer.from(serves) })];
    const recorded = { exchanges, literal: false, obstacles: [] };
    const { browser } = seeing(world, shows, { recorded, served: { document: base.origin } }, true);
    return browser.capture(request, isOver);
  };
  const fetch: WorkerContext['network']['fetch'] = async ({ url }) => {
    asked.push(url);
    return { status: 200, headers: HTML, body: Buffer.from(serverOf(url).serves), truncated: false };
  };
  const { ctx } = world;
  const { browser } = seeing(world, BASELINE, {}, true);
  return { ...ctx, browser: { ...browser, capture }, network: { ...ctx.network, fetch } };
}

async function run(servers: Servers, start: StartRun): Promise<PageResult> {
  const { id: runId } = await startRun(world.ctx, page.viewer, page.suite, start);
  const ctx = workerOf(servers);
  captured = [];
  asked = [];
  await capturePage(ctx, { runId, path: '/' }, JOB);
  await comparePage(ctx, { runId, path: '/' });
  await finishRun(ctx, { runId }, carryOverStack);
  return onlyResult(world, page.viewer, runId);
}

const preview = async (servers: Partial<Servers>, start: StartRun = {}) =>
  run({ site: AS_BEFORE, preview: CHANGED, ...servers }, { targetBaseUrl: PREVIEW, ...start });

const setRecord = async (record: Partial<ProofRecord>) =>
  world
    .db('test_suites')
    .where({ id: page.suite.id })
    .update({ proof_record: JSON.stringify({ runs: 0, screenshots: 0, proven: 0, wrong: 0, ...record }) });

const ofSite = (urls: string[]) => urls.filter((url) => url.startsWith(SITE));

describe('a site that serves a page as when its baseline was taken', () => {
  it('is not captured: its screenshot would be the baseline', async () => {
    const result = await preview({});
    expect(result).toMatchObject({ status: 'FAIL', cause: 'CHANGE', drifted: false, controlState: 'TAKEN' });
    expect(result.controlFile).toBe(result.baselineFile);
    expect(ofSite(captured)).toEqual([]);
    expect(ofSite(asked)).toEqual([`${SITE}/`]);
    const log = await readLogs(world.ctx, page.viewer, result.testRunId);
    expect(log.map(({ message }) => message).join('\n')).toContain(
      'serves what it served when the baseline was captured, by 1 request, so it was not captured for comparison',
    );
  });

  it('is captured while a proof of the suite was wrong, until ten runs had none', async () => {
    await setRecord({ runs: 3, wrong: 1 });
    expect(await preview({})).toMatchObject({ cause: 'CHANGE', controlState: 'TAKEN' });
    expect(ofSite(captured)).toEqual([`${SITE}/`]);
    await setRecord({ runs: 10, wrong: 1 });
    await preview({});
    expect(ofSite(captured)).toEqual([]);
  });

  it('is captured where somebody wants everything captured, and where nothing is proven', async () => {
    await preview({}, { render: true });
    expect(ofSite(captured)).toEqual([`${SITE}/`]);
    await withBaseline({ reuseUnchanged: 'off' });
    await preview({});
    expect(ofSite(captured)).toEqual([`${SITE}/`]);
  });

  it('is captured where nobody knows what the baseline was made from', async () => {
    const [version] = await world.db('baseline_versions').where({ test_suite_id: page.suite.id }).pluck('id');
    await world.db('baseline_versions').where({ id: version }).update({ manifest_file: null });
    expect(await preview({})).toMatchObject({ cause: 'CHANGE' });
    expect(ofSite(captured)).toEqual([`${SITE}/`]);
  });
});

describe('a site that serves something else than when the baseline was taken', () => {
  it('is captured, and what it shares with the preview is drift', async () => {
    expect(await preview({ site: CHANGED })).toMatchObject({ cause: 'DRIFT', drifted: true });
    expect(ofSite(captured)).toEqual([`${SITE}/`]);
  });

  it('may look as before', async () => {
    const result = await preview({ site: { ...AS_BEFORE, serves: 'another' } });
    expect(result).toMatchObject({ cause: 'CHANGE', drifted: false });
    expect(ofSite(captured)).toEqual([`${SITE}/`]);
  });
});

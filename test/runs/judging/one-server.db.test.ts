import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { countAsChange } from '../../../src/review/approval/decide.ts';
import { finishRun } from '../../../src/runs/end-run.ts';
import { judgeRun } from '../../../src/runs/judging/judge-runs.ts';
import { sayDifferentServers } from '../../../src/runs/judging/say-different-servers.ts';
import { getRunFor } from '../../../src/runs/read-run.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import { sha256Of } from '../../../src/text/sha256.ts';
import { approveRun, readLogs } from '../../support/requests.ts';
import type { OwnSuite } from '../../support/world.ts';
import { marked, onlyPage, onlyResult, runOn, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const [BASELINE, SHOWN, OTHER] = [marked([]), marked([20]), marked([120])];

let page: { viewer: Viewer; suite: OwnSuite };
beforeEach(async () => {
  page = await onlyPage(world);
  await runOn(world, page, BASELINE);
});

const start = { targetBaseUrl: 'http://alias.test' };
type Seen = Parameters<typeof runOn>[3];

/** A run of the site under a second name: both show the same, and nothing else tells them apart. */
const alias = async (png: Buffer, seen: Seen = {}) =>
  runOn(world, page, png, { start, site: png, oneServer: true, ...seen });

const site = async (png: Buffer, seen: Seen = {}) => runOn(world, page, png, seen);

const now = ({ testRunId }: PageResult) => onlyResult(world, page.viewer, testRunId);
const gate = async ({ testRunId }: PageResult) =>
  (await getRunFor(world.ctx, page.viewer, testRunId, 'suite.read')).reviewState;

/** Runs the judgements that are queued. */
async function judge(): Promise<void> {
  const keys: string[] = await world.db('graphile_worker.jobs').where({ task_identifier: 'judge-run' }).pluck('key');
  await world.db('graphile_worker._private_jobs').delete();
  for (const key of keys) await judgeRun(world.ctx, { runId: key.replace('judge-run/', '') });
}

const say = async ({ testRunId }: PageResult, differ = true) =>
  sayDifferentServers(world.ctx, await getRunFor(world.ctx, page.viewer, testRunId, 'suite.approve'), { differ });

const held = { status: 'FAIL', cause: 'CHANGE', servers: 'MAYBE_ONE' };
const drift = { status: 'FAIL', cause: 'DRIFT' };

describe('what a preview and the site both show', () => {
  it('holds the gate where nothing tells the two apart, however often it is run', async () => {
    for (let times = 0; times < 2; times += 1) {
      const result = await alias(SHOWN);
      expect(result).toMatchObject(held);
      expect(await gate(result)).toBe('PENDING');
    }
  });

  it.each([
    ['their documents', { document: 'a' }, { document: 'b' }],
    ['the names of their assets', { document: null, assets: 'a' }, { document: null, assets: 'b' }],
    ['when it was modified', { document: 'a', 'last-modified': '2020' }, { document: 'a', 'last-modified': '2021' }],
    ['a header of the deployment', { 'header x-build': '1' }, { 'header x-build': '2' }],
    ['a header of the deployment that one has', { 'header x-build': '1' }, {}],
    [
      'their certificates',
      { addresses: '10.0.0.1 443', certificate: 'a' },
      { addresses: '10.0.0.2 443', certificate: 'b' },
    ],
  ])('is drift where %s differ', async (_, served, ofSite) => {
    expect(await alias(SHOWN, { served, ofSite: { served: ofSite } })).toMatchObject({
      ...drift,
      servers: 'DIFFERENT',
    });
  });

  it.each([
    ['addresses alone', { addresses: '10.0.0.1 443' }, { addresses: '10.0.0.2 443' }],
    ['what is not the same twice', { document: null, assets: 'a' }, { document: 'b', assets: null }],
    ['a certificate that only one has', { certificate: 'a' }, {}],
    [
      'another certificate, at one address, where no document is the same twice',
      { document: null, assets: 'a', addresses: '10.0.0.1 443', certificate: 'a' },
      { document: null, assets: 'a', addresses: '10.0.0.1 443', certificate: 'b' },
    ],
    [
      'another certificate or header, with one document at one address',
      { document: 'a', addresses: '10.0.0.1 443, 10.0.0.2 443', certificate: 'a', 'header x-build': '1' },
      { document: 'a', addresses: '10.0.0.2 443', certificate: 'b', 'header x-build': '2' },
    ],
  ])('holds the gate where they differ in %s', async (_, served, ofSite) => {
    expect(await alias(SHOWN, { served, ofSite: { served: ofSite } })).toMatchObject(held);
  });

  it('holds the gate where one was not asked', async () => {
    expect(await alias(SHOWN, { ofSite: { served: null } })).toMatchObject(held);
  });

  it('is drift of a part of the page only where they are known to differ: they do not look the same', async () => {
    const result = await alias(marked([20, 120]), { site: SHOWN });
    expect(result).toMatchObject({ cause: 'CHANGE', servers: 'DIFFERENT' });
    expect(result.diffRegions?.map(({ drift: isDrift }) => isDrift === true)).toEqual([true, false]);
  });

  it('is drift where the site showed it before the preview could', async () => {
    await site(SHOWN);
    expect(await alias(SHOWN)).toMatchObject(drift);
    expect(await alias(OTHER)).toMatchObject(held);
    await site(OTHER);
    expect(await alias(OTHER)).toMatchObject(held);
  });

  it('is no drift because the site looked so before its baseline', async () => {
    await approveRun(world.ctx, page.viewer, (await site(SHOWN)).testRunId, {});
    expect(await alias(BASELINE)).toMatchObject(held);
  });

  it('is drift where another page of the run told them apart, also later', async () => {
    const result = await alias(SHOWN);
    expect(result).toMatchObject(held);
    await world.db('graphile_worker._private_jobs').delete();
    await world.db('test_runs').where({ id: result.testRunId }).update({ status: 'RUNNING' });
    await world.db.raw(
      `insert into page_results (test_run_id, position, url, path, viewport, status, servers)
       values (?, 2, 'http://alias.test/b', '/b', 'desktop', 'FAIL', 'DIFFERENT')`,
      [result.testRunId],
    );
    await finishRun(world.ctx, { runId: result.testRunId }, async () => 0);
    await judge();
    expect(await now(result)).toMatchObject({ ...drift, servers: null });
  });

  it('is nothing to ask about once a person has counted it as a change', async () => {
    const result = await alias(SHOWN, { ofSite: { served: { document: 'b' } } });
    const run = await getRunFor(world.ctx, page.viewer, result.testRunId, 'suite.approve');
    await countAsChange(world.ctx, run, result.id);
    await world.db('page_results').where({ id: result.id }).update({ control_served: null });
    await judgeRun(world.ctx, { runId: result.testRunId });
    expect(await now(result)).toMatchObject({ cause: 'CHANGE', servers: null });
  });
});

describe('a person who says that they are different servers', () => {
  it('has open runs judged again, and is remembered for later ones at that address', async () => {
    const result = await alias(SHOWN);
    await say(result);
    await judge();
    expect(await now(result)).toMatchObject(drift);
    expect(await gate(result)).toBe('NOT_REQUIRED');
    expect(await alias(OTHER)).toMatchObject(drift);
    const elsewhere = { start: { targetBaseUrl: 'http://another.test' } };
    expect(await alias(OTHER, elsewhere)).toMatchObject(held);
    const log = await readLogs(world.ctx, page.viewer, result.testRunId);
    expect(log.map(({ message }) => message)).toContain(
      `${page.viewer.name} said that http://alias.test and the site are different servers`,
    );
  });

  it('can take it back', async () => {
    const result = await alias(SHOWN);
    await say(result);
    await judge();
    await say(result, false);
    await judge();
    expect(await now(result)).toMatchObject(held);
    expect(await gate(result)).toBe('PENDING');
  });

  it('cannot say it of the site itself', async () => {
    await expect(say(await site(SHOWN))).rejects.toThrow('This run captured the suite’s own site');
  });
});

describe('a page that has two layouts', () => {
  const unstable = { status: 'FAIL', cause: 'CHANGE', stability: 'UNSTABLE', servers: null };
  const two = async (png: Buffer, seen: Seen = {}) => alias(png, { oneServer: false, ...seen });

  it('is unstable, not drift, where its own capture has seen both, or that of the site', async () => {
    expect(await two(SHOWN, { stability: 'UNSTABLE' })).toMatchObject(unstable);
    expect(await two(SHOWN, { ofSite: { stability: 'UNSTABLE' } })).toMatchObject(unstable);
    expect(await two(SHOWN, { site: BASELINE, ofSite: { stability: 'UNSTABLE' } })).toMatchObject(unstable);
  });

  it('is unstable where an earlier capture has seen both', async () => {
    await site(BASELINE, { alsoSeen: [sha256Of(SHOWN)], stability: 'UNSTABLE' });
    expect(await two(SHOWN)).toMatchObject(unstable);
    expect(await two(OTHER)).toMatchObject(drift);
  });

  it('is unstable where the capture that made its baseline has seen both', async () => {
    page = await onlyPage(world);
    await runOn(world, page, BASELINE, { alsoSeen: [sha256Of(SHOWN)], stability: 'UNSTABLE' });
    expect(await two(SHOWN)).toMatchObject(unstable);
  });

  it('is unstable once the site was seen to change and back', async () => {
    expect(await two(SHOWN)).toMatchObject(drift);
    await site(BASELINE);
    const result = await two(SHOWN);
    expect(result).toMatchObject(unstable);
    expect(await gate(result)).toBe('PENDING');
    expect(await two(OTHER)).toMatchObject(drift);
  });

  it('is unstable where the site shows the baseline again', async () => {
    await site(SHOWN);
    expect(await two(SHOWN, { site: BASELINE })).toMatchObject(unstable);
  });

  it('is unstable where one head was seen to change and back', async () => {
    const head = { start: { ...start, headSha: 'a'.repeat(40) } };
    await two(SHOWN, { ...head, site: BASELINE });
    expect(await two(SHOWN, { ...head, site: BASELINE })).toMatchObject({ cause: 'CHANGE', stability: 'AT_ONCE' });
    await two(BASELINE, head);
    expect(await two(SHOWN, head)).toMatchObject(unstable);
  });
});

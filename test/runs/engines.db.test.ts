import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import { renewBaselines } from '../../src/review/approval/promote-through-api.ts';
import { isForOtherEngine } from '../../src/runs/page-jobs/choose-engine.ts';
import { readEngineDifferences, saveEngine } from '../../src/runs/page-jobs/engine-store.ts';
import { findRun } from '../../src/runs/run-store.ts';
import type { Run } from '../../src/runs/run.ts';
import { blankImage, setPixel, toPng } from '../compare/random-images.ts';
import { approveRun, decide, readRun, startRun } from '../support/requests.ts';
import type { OwnSuite } from '../support/world.ts';
import { hearingButton, marked, onlyPage, runOn, worldWithStorage } from './one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const OLD = 'chromium 1.0; playwright 1.0';
const NEW = 'chromium 2.0; playwright 1.0';

/** White but for a pixel that hardly anybody sees. */
function withFaintPixel(): Buffer {
  const image = blankImage(60, 200);
  setPixel(image, 30, 20, [254, 254, 254, 255]);
  return toPng(image);
}

/** What the page of a suite shows of it, which its form names. */
async function shownOf(suite: OwnSuite) {
  const shown = await readEngineDifferences(world.ctx.db, suite);
  if (shown === null) throw new Error('No baseline differs only because of the browser');
  return shown;
}

describe('a screenshot of another browser', () => {
  it('does not hold the gate with a faint difference, and can become the baseline', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]), { engine: OLD });
    expect(await runOn(world, page, withFaintPixel(), { engine: NEW })).toMatchObject({
      status: 'FAIL',
      cause: 'ENGINE',
      faint: true,
    });
    expect(await readEngineDifferences(world.ctx.db, page.suite)).toMatchObject({ results: 1 });
    const shown = await shownOf(page.suite);
    expect(await renewBaselines(world.ctx, page.suite, shown)).toBe(1);
    expect(await readEngineDifferences(world.ctx.db, page.suite)).toBeNull();
    await expect(renewBaselines(world.ctx, page.suite, shown)).rejects.toMatchObject({ kind: 'conflict' });
    expect(await runOn(world, page, withFaintPixel(), { engine: NEW })).toMatchObject({ status: 'PASS' });
  });

  it('does not become the baseline in place of what was approved since', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]), { engine: OLD });
    await runOn(world, page, withFaintPixel(), { engine: NEW });
    const shown = await shownOf(page.suite);
    const start = { targetBaseUrl: 'http://preview.test' };
    const { testRunId } = await runOn(world, page, marked([5]), { engine: NEW, start });
    await approveRun(world.ctx, page.viewer, testRunId, {});
    expect(await readEngineDifferences(world.ctx.db, page.suite)).toBeNull();
    await expect(renewBaselines(world.ctx, page.suite, shown)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('does not become the baseline with others while somebody requests changes to it', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]), { engine: OLD });
    const { id, testRunId } = await runOn(world, page, withFaintPixel(), { engine: NEW });
    const shown = await shownOf(page.suite);
    const request = { decision: 'request_changes' as const, note: 'Blurred', resultIds: [id] };
    await decide(world.ctx, page.viewer, testRunId, request);
    await expect(renewBaselines(world.ctx, page.suite, shown)).rejects.toMatchObject({
      details: { code: 'nothing_to_renew' },
    });
    expect(await readEngineDifferences(world.ctx.db, page.suite)).toBeNull();
  });

  it('does not become the baseline when a run has ended since the page that offered it, or it is lost', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]), { engine: OLD });
    await runOn(world, page, withFaintPixel(), { engine: NEW });
    const shown = await shownOf(page.suite);
    await runOn(world, page, withFaintPixel(), { engine: NEW });
    const now = await shownOf(page.suite);
    const renew = async (as: typeof shown) => renewBaselines(world.ctx, page.suite, as);
    await expect(renew(shown)).rejects.toMatchObject({ details: { code: 'not_as_shown' } });
    await expect(renew({ ...now, which: shown.which })).rejects.toMatchObject({ details: { code: 'not_as_shown' } });
    const current_file = `suites/${page.suite.id}/${'ab'.repeat(32)}.png`;
    await world.db('page_results').where({ test_run_id: now.runId }).update({ current_file });
    await expect(renew(now)).rejects.toMatchObject({ details: { code: 'screenshot_lost' } });
    expect(await readEngineDifferences(world.ctx.db, page.suite)).toEqual(now);
    const other = await onlyPage(world);
    await expect(renewBaselines(world.ctx, other.suite, now)).rejects.toMatchObject({
      details: { code: 'nothing_to_renew' },
    });
  });

  it('does not become the baseline in place of another one, which was offered', async () => {
    const viewports = ['desktop', 'tablet'].map((name) => ({ name, width: 100, height: 200 }));
    const page = await onlyPage(world, { viewports });
    await runOn(world, page, marked([]), { engine: OLD });
    const { testRunId } = await runOn(world, page, withFaintPixel(), { engine: NEW });
    const [one, other] = (await readRun(world.ctx, page.viewer, testRunId, 'suite.read')).results.map(({ id }) => [id]);
    const decideOn = async (decision: 'request_changes' | 'undo', resultIds: string[] | undefined) =>
      decide(world.ctx, page.viewer, testRunId, { decision, note: 'Blurred', resultIds });
    await decideOn('request_changes', one);
    const shown = await shownOf(page.suite);
    await decideOn('undo', one);
    await decideOn('request_changes', other);
    expect(await shownOf(page.suite)).toMatchObject({ runId: shown.runId, results: shown.results });
    await expect(renewBaselines(world.ctx, page.suite, shown)).rejects.toMatchObject({
      details: { code: 'not_as_shown' },
    });
    expect(await renewBaselines(world.ctx, page.suite, await shownOf(page.suite))).toBe(1);
  });

  it('holds the gate with a difference that is seen', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]), { engine: OLD });
    expect(await runOn(world, page, marked([5]), { engine: NEW })).toMatchObject({ cause: 'CHANGE' });
  });

  it('holds the gate where assistive technology hears something else, if the suite asks for that', async () => {
    const page = await onlyPage(world, { accessibility: 'all', accessibilityGate: true });
    await runOn(world, page, marked([]), { engine: OLD, heard: await hearingButton('Buy') });
    const said = { engine: NEW, heard: await hearingButton('') };
    expect(await runOn(world, page, withFaintPixel(), said)).toMatchObject({ cause: 'CHANGE', faint: true });
    expect(await readEngineDifferences(world.ctx.db, page.suite)).toBeNull();
    const same = { ...said, heard: await hearingButton('Buy') };
    expect(await runOn(world, page, withFaintPixel(), same)).toMatchObject({ cause: 'ENGINE' });
  });

  it('of the same browser holds the gate with a faint difference, unless the suite passes those', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]), { engine: OLD });
    expect(await runOn(world, page, withFaintPixel(), { engine: OLD })).toMatchObject({ cause: 'CHANGE', faint: true });
    const tolerant = await onlyPage(world, { ignoreFaint: true });
    await runOn(world, tolerant, marked([]), { engine: OLD });
    expect(await runOn(world, tolerant, withFaintPixel(), { engine: OLD })).toMatchObject({
      status: 'PASS',
      cause: null,
    });
  });
});

describe('a worker leaves a page to the browser of its baselines', () => {
  const leave = async (run: Run, captureEngine: string, now = new Date()) => {
    const ctx = {
      ...world.ctx,
      clock: { now: () => now },
      browser: { ...world.ctx.browser, engine: async () => NEW },
    };
    return isForOtherEngine(ctx, [captureEngine], run.createdAt);
  };

  async function freshRun({ viewer, suite }: { viewer: Viewer; suite: OwnSuite }): Promise<Run> {
    const { id } = await startRun(world.ctx, viewer, suite, {});
    const run = await findRun(world.db, id);
    if (run === null) throw new Error('The run is gone');
    return run;
  }

  it('while one was seen lately, for a minute at most', async () => {
    const run = await freshRun(await onlyPage(world));
    await world.db('capture_engines').delete();
    expect(await leave(run, OLD)).toBe(false);
    await saveEngine(world.db, OLD, 'other-host');
    expect(await leave(run, NEW)).toBe(false);
    expect(await leave(run, OLD)).toBe(true);
    expect(await leave(run, OLD, new Date(Date.now() + 61_000))).toBe(false);
    await world
      .db('capture_engines')
      .where({ engine: OLD })
      .update({ last_seen_at: new Date(Date.now() - 600_000) });
    expect(await leave(run, OLD)).toBe(false);
  });
});

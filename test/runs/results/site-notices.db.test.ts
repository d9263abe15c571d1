import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCaptureNotices } from '../../../src/runs/results/read-site-notices.ts';
import { effectiveConfig } from '../../../src/suites/config/suite-config.ts';
import { marked, onlyPage, runOn, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const PNG = marked([10]);
const LATE = { code: 'late_timer', message: 'The page changes later', timeout: 8000 };
const WORKER = { code: 'service_worker_blocked', message: 'The page registers a service worker' };
const CUT = { code: 'cut', message: 'The page is cut' };

/** A suite whose newest run warned of this. */
async function warnedOf(warnings: (typeof LATE | typeof WORKER)[]) {
  const page = await onlyPage(world);
  const result = await runOn(world, page, PNG, { warnings: [...warnings, CUT] });
  return { ...page, result };
}

describe('what the settings of a suite leave out', () => {
  it('is what the newest run of its own site warned of', async () => {
    const { suite, result } = await warnedOf([LATE, WORKER]);
    expect(result.warnings).toEqual([LATE, WORKER]);
    expect(await readCaptureNotices(world.ctx, suite)).toEqual({
      late: { pages: 1, timeout: 8000 },
      workers: { pages: 1 },
    });
  });

  it('is nothing before the first run, and where a run warned of nothing', async () => {
    const none = { late: null, workers: null };
    expect(await readCaptureNotices(world.ctx, (await onlyPage(world)).suite)).toEqual(none);
    const page = await warnedOf([LATE, WORKER]);
    await runOn(world, page, PNG);
    expect(await readCaptureNotices(world.ctx, page.suite)).toEqual(none);
  });

  it('is nothing once the settings include it', async () => {
    const { suite } = await warnedOf([LATE, WORKER]);
    const config = effectiveConfig({ settle: { timeout: 8000 }, serviceWorkers: 'allow' });
    expect(await readCaptureNotices(world.ctx, { ...suite, config })).toEqual({ late: null, workers: null });
  });
});

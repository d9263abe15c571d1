import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Region } from '../../../src/elements/region.ts';
import { judgeRun, judgeSuite } from '../../../src/runs/judging/judge-runs.ts';
import type { PageRule } from '../../../src/suites/config/page-rule.ts';
import { updateSuite } from '../../support/requests.ts';
import { marked, onlyPage, onlyResult, runOn, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const ignoring = (height: number, more: Partial<Region> = {}): PageRule[] => [
  { paths: ['**'], ignoreBoxes: [{ x: 0, y: 0, width: 60, height, ...more }] },
];

/** The window is 60 by 100 px, and the page has twice that height. */
const pageWith = async (rules: PageRule[]) =>
  onlyPage(world, { viewports: [{ name: 'desktop', width: 60, height: 100 }], rules });

const WARNING = (share: string) => ({
  code: 'window_ignored',
  message: `An ignored area covers the whole window (${share} of the screenshot), so changes there pass unseen`,
});

const logOf = async (runId: string) =>
  (await world.db('test_run_logs').where({ test_run_id: runId, type: 'WARNING' }).pluck('message')) as string[];

describe('an ignored area over the whole window', () => {
  it.each([
    ['the window', 100, '50.0%'],
    ['the page', 200, '100%'],
  ])('is told of where a change passes thanks to it: %s', async (_what, height, share) => {
    const page = await pageWith(ignoring(height));
    await runOn(world, page, marked([]));
    const result = await runOn(world, page, marked([20]));
    expect(result).toMatchObject({ status: 'PASS', cause: 'IGNORED', warnings: [WARNING(share)] });
    expect(await logOf(result.testRunId)).toEqual([`/ at desktop: ${WARNING(share).message}`]);
  });

  it('is told of as long as the rule exists', async () => {
    const page = await pageWith([]);
    await runOn(world, page, marked([]));
    const { testRunId } = await runOn(world, page, marked([20]));
    const judgedBy = async (rules: PageRule[]) => {
      await updateSuite(world.ctx, page.viewer, page.suite.id, { config: { rules } });
      await judgeSuite(world.ctx, { suiteId: page.suite.id });
      await judgeRun(world.ctx, { runId: testRunId });
      return (await onlyResult(world, page.viewer, testRunId)).warnings;
    };
    expect(await judgedBy(ignoring(200))).toEqual([WARNING('100%')]);
    expect(await judgedBy(ignoring(199))).toEqual([WARNING('99.5%')]);
    expect(await judgedBy(ignoring(99))).toEqual([]);
  });

  it.each([
    ['part of the window', { height: 99 }],
    ['what is below it', { y: 100 }],
    ['its right side', { x: 1, width: 59 }],
  ])('is not: %s', async (_what, area) => {
    const page = await pageWith(ignoring(100, area));
    await runOn(world, page, marked([]));
    expect(await runOn(world, page, marked([20, 120]))).toMatchObject({ warnings: [] });
  });
});

import { COMPARE_ENGINE, compareImages } from '../../compare/compare-images.ts';
import type { WorkerContext } from '../../context.ts';
import { imageName, sha256Of } from '../../storage/object-name.ts';
import { rulesForPage } from '../../suites/page-rule.ts';
import { findPendingResults } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { judgeDiff } from '../results/result.ts';
import type { Run } from '../run.ts';
import { findRun } from '../run-store.ts';
import { settleResult } from './settle-result.ts';

async function compareResult(ctx: WorkerContext, run: Run, result: PageResult): Promise<void> {
  if (result.baselineFile === null || result.currentFile === null) return;
  const [baseline, current] = await Promise.all([
    ctx.storage.get(result.baselineFile),
    ctx.storage.get(result.currentFile),
  ]);
  if (baseline === null || current === null) {
    const missing = baseline === null ? 'baseline' : 'current';
    await settleResult(ctx, result, { status: 'ERROR', error: `The ${missing} screenshot is missing from storage` });
    return;
  }
  const startedAt = performance.now();
  const rules = rulesForPage(run.config.rules, result);
  const threshold = rules.threshold ?? run.config.threshold;
  const comparison = await compareImages(baseline, current, { threshold });
  const status = judgeDiff(comparison.diffPercentage, rules.failureThreshold ?? run.config.failureThreshold);
  ctx.measure('comparisons', { outcome: status }, 1);
  ctx.measure('comparison_seconds', { outcome: status }, (performance.now() - startedAt) / 1000);
  const diffFile = comparison.diffImage && imageName(run.testSuiteId, sha256Of(comparison.diffImage));
  if (comparison.diffImage && diffFile) await ctx.storage.put(diffFile, comparison.diffImage);
  await settleResult(ctx, result, {
    status,
    diffScore: comparison.diffPercentage,
    diffFile,
    diffRegions: comparison.regions,
    compareEngine: COMPARE_ENGINE,
    isNew: false,
  });
}

/** Job: decides about each screenshot of a page whose bytes differ from its baseline. */
export async function comparePage(ctx: WorkerContext, payload: { runId: string; path: string }): Promise<void> {
  const run = await findRun(ctx.db, payload.runId);
  if (run?.status !== 'RUNNING') return;
  const pending = await findPendingResults(ctx.db, run.id, payload.path);
  for (const result of pending) await compareResult(ctx, run, result);
}

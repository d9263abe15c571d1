import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { findRunnablePaths } from '../pages/site-page-store.ts';
import { queueJudgement } from '../runs/judging/queue-judgement.ts';
import { queueCheckUpdate } from '../runs/queue-check-update.ts';
import { updateReviewState } from '../runs/review-state.ts';
import { findPullRequestKey, findRun, lockRun } from '../runs/run-store.ts';
import { isDecidable } from '../runs/run.ts';
import { keepSettingsChange } from '../runs/settings-change/keep-settings-change.ts';
import { findRunsWithChange, findSettingsChange } from '../runs/settings-change/settings-change-store.ts';
import type { SettingsChange } from '../runs/settings-change/settings-change.ts';
import { compareOwn } from '../suites/config-file/pull-request-config.ts';
import { hashLoosening, presentDifferences } from '../suites/config-file/settings-difference.ts';
import { findSuite } from '../suites/suite-store.ts';
import type { Suite } from '../suites/suite.ts';
import { findDefaultBranch, findPullRequest } from './pull-request-store.ts';

/** No suite has more open pull requests that change settings than this. */
const MAX_RUNS = 100;

/** Where settings apply. */
export const readPaths = async ({ db }: Pick<Context, 'db'>, suite: Suite): Promise<string[]> =>
  findRunnablePaths(db, suite.id);

/**
 * Stores what the run's pull request changes in the settings now. An approval of another loosening no longer counts.
 * @param paths of the suite, as `readPaths` has them
 */
export async function compareSettingsAgain(
  ctx: Pick<Context, 'db'>,
  { suite, paths }: { suite: Suite; paths: string[] },
  runId: string,
  own: SettingsChange['own'],
): Promise<void> {
  const [run, key] = [await findRun(ctx.db, runId), await findPullRequestKey(ctx.db, runId)];
  if (run === null || key === null) return;
  const fromFork = (await findPullRequest(ctx.db, key))?.fromFork !== false;
  const repository = { defaultBranch: await findDefaultBranch(ctx.db, key), baseUrl: suite.baseUrl };
  const used = run.git?.configChange?.used ?? [];
  const compared = await compareOwn({ suite: suite.config, own: own.config, used, fromFork, paths, repository });
  const differences = [...compared, ...own.file];
  const hash = fromFork ? null : hashLoosening(differences);
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockRun(trx, runId);
    if (locked === null) return;
    const found = { differences: presentDifferences(differences), own, base: suite.config, hash, looks: null };
    await keepSettingsChange(trx, runId, found);
    if (hash !== null) await queueJudgement(trx, runId);
    if (hash === locked.settingsHash) return;
    if (isDecidable(locked.status)) await updateReviewState(trx, locked);
    await queueCheckUpdate(trx, locked, 'now');
  });
}

/**
 * Job: after a change of a suite's configuration, compares again what open pull requests change in it. An approval no
 * longer counts if they now loosen something else.
 */
export async function followSettings(ctx: Pick<Context, 'db'>, { suiteId }: { suiteId: string }): Promise<void> {
  const runs = await findRunsWithChange(ctx.db, suiteId, MAX_RUNS);
  const suite = runs.length === 0 ? null : await findSuite(ctx.db, suiteId);
  if (suite === null) return;
  const paths = await readPaths(ctx, suite);
  for (const runId of runs) {
    const before = await findSettingsChange(ctx.db, runId);
    if (before === null || isDeepStrictEqual(before.base, suite.config)) continue;
    await compareSettingsAgain(ctx, { suite, paths }, runId, before.own);
  }
}

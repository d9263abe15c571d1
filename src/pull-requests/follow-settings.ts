import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { findRunnablePaths } from '../pages/site-page-store.ts';
import { enqueue } from '../queue/enqueue.ts';
import { queueJudgement } from '../runs/judging/queue-judgement.ts';
import { updateReviewState } from '../runs/outcome.ts';
import { queueCheckUpdate } from '../runs/queue-check-update.ts';
import { findPullRequestKey, findRun, lockRun } from '../runs/run-store.ts';
import { isDecidable } from '../runs/run.ts';
import { keepSettingsChange } from '../runs/settings-change/read-settings.ts';
import { findSettingsChange } from '../runs/settings-change/settings-change-store.ts';
import type { SettingsChange, SettingsDraft } from '../runs/settings-change/settings-change.ts';
import { compareOwn } from '../suites/config-file/pull-request-config.ts';
import { hashLoosening, presentDifferences } from '../suites/config-file/settings-difference.ts';
import { findSuite } from '../suites/suite-store.ts';
import type { Suite } from '../suites/suite.ts';
import { findRunsWithChange } from './pull-request-run-store.ts';
import { findDefaultBranch, findPullRequest } from './pull-request-store.ts';

/** No suite has more open pull requests that change settings than this. */
const MAX_RUNS = 100;

/**
 * What a pull request changes in the settings, compared with the suite as it is now. `hash`: of what it loosens; null for
 * nothing. Nothing of a fork is used, and its author can't merge it.
 */
export async function compareWithSuite(
  suite: Suite,
  own: SettingsChange['own'],
  { defaultBranch, ...about }: { used: string[]; fromFork: boolean; paths: string[]; defaultBranch: string | null },
): Promise<Omit<SettingsDraft, 'looks'>> {
  const repository = { defaultBranch, baseUrl: suite.baseUrl };
  const compared = await compareOwn({ ...about, suite: suite.config, own: own.config, repository });
  const differences = [...compared, ...own.file];
  const hash = about.fromFork ? null : hashLoosening(differences);
  return { differences: presentDifferences(differences), own, base: suite.config, hash };
}

/**
 * Stores what the run's pull request changes in the settings now. An approval of another loosening no longer counts.
 * @param paths of the suite's pages
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
  const used = run.git?.configChange?.used ?? [];
  const defaultBranch = await findDefaultBranch(ctx.db, key);
  const found = await compareWithSuite(suite, own, { used, fromFork, paths, defaultBranch });
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockRun(trx, runId);
    if (locked === null) return;
    await keepSettingsChange(trx, runId, { ...found, looks: null });
    const now = await findSuite(trx, suite.id);
    // The job of that change may have compared this run before.
    if (!isDeepStrictEqual(now?.config, suite.config)) await enqueue(trx, 'follow-settings', { suiteId: suite.id });
    if (found.hash !== null) await queueJudgement(trx, runId);
    if (found.hash === locked.settingsHash) return;
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
  const paths = await findRunnablePaths(ctx.db, suite.id);
  for (const runId of runs) {
    const before = await findSettingsChange(ctx.db, runId);
    if (before === null || isDeepStrictEqual(before.base, suite.config)) continue;
    await compareSettingsAgain(ctx, { suite, paths }, runId, before.own);
  }
}

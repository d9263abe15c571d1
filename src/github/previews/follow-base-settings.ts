import { findDefaultBranch } from '../../pull-requests/default-branch-store.ts';
import { compareSettingsAgain, readPaths } from '../../pull-requests/follow-settings.ts';
import { findPullRequestRun } from '../../pull-requests/pull-request-run-store.ts';
import { findPullRequest } from '../../pull-requests/pull-request-store.ts';
import { findSettingsChange } from '../../runs/settings-change/settings-change-store.ts';
import { compareOwnFile } from '../../suites/config-file/pull-request-config.ts';
import { findSuite } from '../../suites/suite-store.ts';
import type { GitHubContext } from '../app/github-client.ts';
import { readOwnChange, throughLink } from './pull-request-config.ts';
import { readConfigFile } from './read-config-file.ts';

/**
 * Job: after a pull request got another base, reads again what it changes in the settings of its suite, because what its
 * old base had already can be new to this one (docs/rules.md, Pull requests).
 * @throws when GitHub does not answer.
 */
export async function followBaseSettings(ctx: GitHubContext, { runId }: { runId: string }): Promise<void> {
  const opened = await findPullRequestRun(ctx.db, runId);
  const suite = opened === null ? null : await findSuite(ctx.db, opened.testSuiteId);
  // A run that still waits for its preview has read nothing yet.
  if (opened === null || suite === null || !opened.enqueued) return;
  const run = throughLink(opened, suite);
  const head = await readConfigFile(ctx, { ...run, ref: run.headSha });
  if (head.settings === null) return;
  const changed = await readOwnChange(ctx, run, suite, head);
  if (changed === null && (await findSettingsChange(ctx.db, runId)) === null) return;
  const fromFork = (await findPullRequest(ctx.db, run))?.fromFork !== false;
  const repository = { defaultBranch: await findDefaultBranch(ctx.db, run), baseUrl: suite.baseUrl };
  const file = changed === null ? [] : compareOwnFile(changed.began, changed.said, { fromFork, repository });
  const own = { config: changed?.own ?? {}, file };
  await compareSettingsAgain(ctx, { suite, paths: await readPaths(ctx, suite) }, runId, own);
}

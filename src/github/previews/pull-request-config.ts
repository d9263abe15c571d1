import type { OwnConfig, PullRequestRun } from '../../pull-requests/pull-request-run.ts';
import type { FileSettings, SuiteSettings } from '../../suites/config-file/config-file.ts';
import { NO_SETTINGS, settingsFor } from '../../suites/config-file/config-file.ts';
import { configOfPullRequest } from '../../suites/config-file/pull-request-config.ts';
import { findSiteAccess } from '../../suites/site-access/site-access-store.ts';
import type { Suite } from '../../suites/suite.ts';
import type { GitHubContext } from '../app/github-client.ts';
import { readMergeBase } from '../app/read-merge-base.ts';
import { readConfigFile } from './read-config-file.ts';

/** The file at a pull request's head. */
export type HeadFile = { settings: FileSettings; blobSha: string | null };

/**
 * What the repository says for a run: the head's own version. Of a fork, that of the base branch: whoever may not push
 * to the repository does not decide where previews are, and which changes count.
 * @throws when GitHub does not answer.
 */
export async function settingsOfPullRequest(
  ctx: GitHubContext,
  run: PullRequestRun,
  suite: Suite,
  { head, fromFork }: { head: HeadFile; fromFork: boolean },
): Promise<SuiteSettings> {
  const isAsInSuite = head.blobSha === (suite.configFile?.blobSha ?? null);
  if (!fromFork || isAsInSuite) return settingsFor(head.settings, suite.name);
  const { settings } = await readConfigFile(ctx, { ...run, ref: run.baseBranch });
  return settingsFor(settings ?? NO_SETTINGS, suite.name);
}

/** Whether the head has the file as it was where its branch began: then a newer version on the base is no change of it. */
async function isOnlyBehind(ctx: GitHubContext, run: PullRequestRun, head: HeadFile): Promise<boolean> {
  const began = await readMergeBase(ctx, { ...run, of: run.baseBranch, head: run.headSha });
  if (began === null) return false;
  return (await readConfigFile(ctx, { ...run, ref: began.sha })).blobSha === head.blobSha;
}

/**
 * What the pull request changes in the suite's configuration, and what its run goes by. Null: nothing.
 * @param version.address of the preview; null for a build, which answers in place of the site
 * @throws when GitHub does not answer.
 */
export async function findOwnConfig(
  ctx: GitHubContext,
  run: PullRequestRun,
  suite: Suite,
  { head, fromFork, address }: { head: HeadFile; fromFork: boolean; address: string | null },
): Promise<OwnConfig | null> {
  if (head.blobSha === (suite.configFile?.blobSha ?? null)) return null;
  const said = settingsFor(head.settings, suite.name).config;
  const isAtSuite = address !== null && new URL(address).origin === suite.origin;
  const ownSite = isAtSuite && (await findSiteAccess(ctx.db, suite.id)) !== null;
  const { config, change } = configOfPullRequest(suite.config, said, { fromFork, ownSite });
  if (change === null || (await isOnlyBehind(ctx, run, head))) return null;
  return { config: change.used.length === 0 ? null : config, change };
}

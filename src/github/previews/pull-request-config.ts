import { findRunnablePaths } from '../../pages/site-page-store.ts';
import { compareSettingsAgain, compareWithSuite } from '../../pull-requests/follow-settings.ts';
import { findPullRequestRun } from '../../pull-requests/pull-request-run-store.ts';
import type { OwnConfig, PullRequestRun } from '../../pull-requests/pull-request-run.ts';
import { findDefaultBranch, findPullRequest } from '../../pull-requests/pull-request-store.ts';
import { chooseLooks } from '../../runs/settings-change/choose-looks.ts';
import { findSettingsChange } from '../../runs/settings-change/settings-change-store.ts';
import type { SettingsChange } from '../../runs/settings-change/settings-change.ts';
import {
  NO_SETTINGS,
  settingsFor,
  type FileSettings,
  type SuiteSettings,
} from '../../suites/config-file/config-file.ts';
import { compareOwnFile, configOfPullRequest, ownSettings } from '../../suites/config-file/pull-request-config.ts';
import { findSiteAccess } from '../../suites/site-access/site-access-store.ts';
import { findSuite } from '../../suites/suite-store.ts';
import type { Suite } from '../../suites/suite.ts';
import type { GitHubContext } from '../app/github-client.ts';
import { readMergeBase } from '../app/read-merge-base.ts';
import { readConfigFile } from './read-config-file.ts';

/** The file at a pull request's head. */
type HeadFile = { settings: FileSettings; blobSha: string | null };

/** The file as a pull request has it, and whether that is one of a fork. */
export type Version = { head: HeadFile; fromFork: boolean };

const NO_LOOKS = { again: [], leftOut: [], notCaptured: 0 };

/** Since the run began, the App may have been reinstalled or the repository transferred. */
export const throughLink = (run: PullRequestRun, { codehost }: Suite): PullRequestRun => ({
  ...run,
  installationId: codehost?.installationId ?? run.installationId,
});

const isAsInSuite = (suite: Suite, head: HeadFile) => head.blobSha === (suite.configFile?.blobSha ?? null);

/**
 * The file for a run: the head's own version. For a fork, that of the base branch, because people who may not push to
 * the repository must not decide where previews are and which changes count.
 * @throws when GitHub does not answer.
 */
export async function settingsOfPullRequest(
  ctx: GitHubContext,
  run: PullRequestRun,
  suite: Suite,
  { head, fromFork }: Version,
): Promise<SuiteSettings> {
  if (!fromFork || isAsInSuite(suite, head)) return settingsFor(head.settings, suite.name);
  return settingsOfBase(ctx, run, suite);
}

/** @throws when GitHub does not answer. */
async function settingsOfBase(ctx: GitHubContext, run: PullRequestRun, suite: Suite): Promise<SuiteSettings> {
  const { settings } = await readConfigFile(ctx, { ...run, ref: run.baseBranch });
  return settingsFor(settings ?? NO_SETTINGS, suite.name);
}

/**
 * What the base branch says, if the pull request has another version of the file: neither an outdated version nor one of
 * its own may decide that it passes without screenshots. Null: it has no other one.
 * @throws when GitHub does not answer.
 */
export async function settingsBesides(
  ctx: GitHubContext,
  run: PullRequestRun,
  suite: Suite,
  { head }: Version,
): Promise<SuiteSettings | null> {
  return isAsInSuite(suite, head) ? null : settingsOfBase(ctx, run, suite);
}

/**
 * Whether the pull request changes what the file says. A symbolic link leads to another file, which it can change.
 * @throws when GitHub does not answer.
 */
export const changesSettings = async (
  ctx: GitHubContext,
  run: PullRequestRun,
  suite: Suite,
  version: Version,
): Promise<boolean> => (await readOwnChange(ctx, run, suite, version)) !== null;

/**
 * What the pull request changes, compared with the commit where its branch began. Null: nothing. A newer version on the
 * base is not its change. If GitHub does not know that commit, the base branch is used instead. Into a branch that is
 * not gated, such as that of another pull request, nobody approves settings: what comes with it is judged, too.
 * @throws when GitHub does not answer.
 */
async function readOwnChange(
  ctx: GitHubContext,
  run: PullRequestRun,
  suite: Suite,
  { head, fromFork }: Version,
): Promise<SettingsChange['own'] | null> {
  if (isAsInSuite(suite, head)) return null;
  const defaultBranch = await findDefaultBranch(ctx.db, run);
  const of = run.isGated ? run.baseBranch : (defaultBranch ?? run.baseBranch);
  const commit = await readMergeBase(ctx, { ...run, of, head: run.headSha });
  const file = await readConfigFile(ctx, { ...run, ref: commit?.sha ?? of });
  if (file.blobSha === head.blobSha) return null;
  const began = settingsFor(file.settings ?? NO_SETTINGS, suite.name);
  const said = settingsFor(head.settings, suite.name);
  const repository = { defaultBranch, baseUrl: suite.baseUrl };
  return {
    config: ownSettings(began.config, said.config),
    file: compareOwnFile(began, said, { fromFork, repository }),
  };
}

/**
 * What the pull request changes in the settings of its suite, and the settings of its run. Null: nothing. What the suite
 * says anyway is kept, too, because the suite may say something else before the merge.
 * @param address of the preview; null for a build, which answers in place of the site
 * @throws when GitHub does not answer.
 */
export async function findOwnConfig(
  ctx: GitHubContext,
  run: PullRequestRun,
  suite: Suite,
  version: Version,
  address: string | null,
): Promise<OwnConfig | null> {
  const own = await readOwnChange(ctx, run, suite, version);
  if (own === null || (Object.keys(own.config).length === 0 && own.file.length === 0)) return null;
  const { fromFork } = version;
  const isAtSuite = address !== null && new URL(address).origin === suite.origin;
  const ownSite = isAtSuite && (await findSiteAccess(ctx.db, suite.id)) !== null;
  const { config, change } = configOfPullRequest(suite.config, own.config, { fromFork, ownSite });
  const used = change?.used ?? [];
  const defaultBranch = await findDefaultBranch(ctx.db, run);
  const paths = await findRunnablePaths(ctx.db, suite.id);
  const found = await compareWithSuite(suite, own, { used, fromFork, paths, defaultBranch });
  const looks = found.hash === null ? NO_LOOKS : await chooseLooks(suite.config, config, paths);
  return { config, change, settings: { ...found, looks } };
}

/**
 * Job: after a pull request got another base, or the file on the default branch was changed, reads again what it changes
 * in the settings of its suite, because what its old base had already can be new to this one (docs/rules.md, Pull
 * requests).
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
  const fromFork = (await findPullRequest(ctx.db, run))?.fromFork !== false;
  const own = await readOwnChange(ctx, run, suite, { head, fromFork });
  if (own === null && (await findSettingsChange(ctx.db, runId)) === null) return;
  const paths = await findRunnablePaths(ctx.db, suite.id);
  await compareSettingsAgain(ctx, { suite, paths }, runId, own ?? { config: {}, file: [] });
}

import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { Wall } from '../../net/recognize-wall.ts';
import { isSameBase, siteBase } from '../../net/site-base.ts';
import { findRunnablePaths } from '../../pages/site-page-store.ts';
import type { EarlyEnd } from '../../pull-requests/end-pull-request-run.ts';
import { describeSignal, type PreviewRules, type PreviewSearch } from '../../pull-requests/previews/preview-search.ts';
import type { FoundPreview, OwnConfig, PullRequestRun } from '../../pull-requests/pull-request-run.ts';
import { findPullRequest } from '../../pull-requests/pull-request-store.ts';
import { findBuildOfCommit } from '../../runs/builds/build-store.ts';
import { CONFIG_FILE, unknownSuites, type SuiteSettings } from '../../suites/config-file/config-file.ts';
import type { SuiteConfig } from '../../suites/config/suite-config.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import { createSiteFetch } from '../../suites/site-access/fetch-site.ts';
import { explainWall, type VisitContext } from '../../suites/site-access/visit-site.ts';
import type { Suite } from '../../suites/suite.ts';
import { shortSha } from '../../text/format.ts';
import type { GitHubContext } from '../app/github-client.ts';
import { changesMatchingFile } from './changed-files.ts';
import { remember, rulesFor, type ChosenPreview, type PreviewChoice } from './choose-preview.ts';
import { probePreview, type PreviewProblem } from './probe-preview.ts';
import {
  changesSettings,
  findOwnConfig,
  settingsBesides,
  settingsOfPullRequest,
  throughLink,
  type Version,
} from './pull-request-config.ts';
import { findUnpassedEarlier, isSkipped, readChoice } from './read-choice.ts';
import { readConfigFile } from './read-config-file.ts';

function fits(pattern: string, url: URL): boolean {
  const name = /:\d+$/.test(pattern) ? url.host : url.hostname;
  return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
}

/**
 * Whether previews of an account's repositories may be on the URL's host. If `PREVIEW_HOSTS` lists hosts, for every
 * account or for this one, only those are captured. Pure.
 */
export function isHostAllowed(hosts: Config['previewHosts'], account: string, address: string): boolean {
  const applicable = hosts.filter((host) => host.account === null || host.account === account.toLowerCase());
  return applicable.length === 0 || applicable.some(({ pattern }) => fits(pattern, new URL(address)));
}

/**
 * `problem`: why the preview that exists can't be captured yet. Null: there is no preview yet. `search`: the outcome
 * that the run stores; null if the search did not get that far.
 */
export type PreviewOutcome = { search: PreviewSearch | null } & (
  | ({ kind: 'found'; unknownSuites: string[] } & FoundPreview)
  | { kind: 'waiting'; problem: string | null }
  | { kind: 'several' }
  | { kind: 'ended'; end: EarlyEnd }
);

export type SearchContext = GitHubContext & VisitContext;

/** A host may report a deployment as ready a moment before all of it is. */
const SETTLE_MS = 15_000;
const PROBE_TIMEOUT_MS = 15_000;
/** Among this many pages, some are below the suite's base, if there are any. */
const CANDIDATES = 100;

const ended = (
  status: EarlyEnd['status'],
  reason: EarlyEnd['reason'],
  error: string,
  search: PreviewSearch | null = null,
): PreviewOutcome => ({ kind: 'ended', end: { status, reason, error }, search });

/** Why the repository's settings skip this state of the pull request. Null: they don't. */
async function unwanted(
  ctx: SearchContext,
  run: PullRequestRun,
  settings: SuiteSettings,
  isDraft: boolean,
): Promise<EarlyEnd | null> {
  if (settings.ignoreDrafts && isDraft) {
    const error = `The pull request is a draft, and ${CONFIG_FILE} ignores drafts. A run starts when the pull request is ready for review.`;
    return { status: 'COMPLETED', reason: 'draft_ignored', error };
  }
  if (settings.paths !== null && !(await changesMatchingFile(ctx, run, settings.paths))) {
    const error = `No changed file matches \`paths\` in ${CONFIG_FILE}.`;
    return { status: 'COMPLETED', reason: 'paths_unchanged', error };
  }
  return null;
}

/** Whether it stays unwanted by more than the pull request's version of the file. Drafts can't be merged. */
async function isLeftOut(
  ctx: SearchContext,
  run: PullRequestRun,
  suite: Suite,
  version: Version,
  { isDraft, end }: { isDraft: boolean; end: EarlyEnd },
): Promise<boolean> {
  if (await changesSettings(ctx, run, suite, version)) return end.reason === 'draft_ignored';
  const besides = await settingsBesides(ctx, run, suite, version);
  return besides === null || (await unwanted(ctx, run, besides, isDraft)) !== null;
}

async function checkTarget(
  ctx: SearchContext,
  run: PullRequestRun,
  suite: Suite,
  address: string,
): Promise<PreviewProblem | null> {
  if (isSameBase(siteBase(address), siteBase(suite.baseUrl))) {
    const message = `${address} is the suite’s own site, not a preview of it: it would be compared with itself`;
    return { message, final: true };
  }
  if (!isHostAllowed(ctx.config.previewHosts, run.owner, address)) {
    const { host } = new URL(address);
    return { message: `${host} is not an allowed preview host for ${run.owner}`, final: true };
  }
  try {
    await ctx.network.assertAllowed(address);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { message: error.message, final: true };
  }
}

/** Also returns where on its host the preview's pages are. */
async function probe(
  ctx: SearchContext,
  run: PullRequestRun,
  suite: Suite,
  { address, announcedAt }: ChosenPreview,
): Promise<{ address: string; problem: PreviewProblem | null }> {
  const refusal = await checkTarget(ctx, run, suite, address);
  if (refusal !== null) return { address, problem: refusal };
  const { userAgent, timeout } = suite.config.crawlOptions;
  const reached = createSiteFetch(ctx, { suiteId: suite.id, scope: run.id });
  const visitor = { network: reached, userAgent, timeout: Math.min(timeout, PROBE_TIMEOUT_MS) };
  const explain = async (wall: Wall, met: string) =>
    explainWall({ wall, address: met, visit: await reached.visit(met) });
  const paths = await findRunnablePaths(ctx.db, suite.id, CANDIDATES);
  const isAnnounced = announcedAt !== null;
  const probed = await probePreview(visitor, { address, site: suite.baseUrl, paths, explain, isAnnounced });
  const hasSettled = announcedAt !== null && ctx.clock.now().getTime() - announcedAt.getTime() >= SETTLE_MS;
  const problem = probed.problem && { ...probed.problem, final: probed.problem.final || hasSettled };
  return { ...probed, problem };
}

/** @param earlier a commit of the pull request whose check has not passed; null: there is none */
function willNotCome(
  { signal }: PreviewChoice & { kind: 'will_not_come' },
  search: PreviewSearch,
  earlier: string | null,
): PreviewOutcome {
  const what = `The ${describeSignal(signal)} of ${shortSha(signal.headSha)}`;
  const where = signal.link === null ? '' : `: ${signal.link}`;
  if (signal.state === 'FAILED') return ended('FAILED', 'preview_failed', `${what} failed${where}`, search);
  const skipped = `${what} was skipped${where}`;
  return earlier === null
    ? ended('COMPLETED', 'preview_skipped', skipped, search)
    : ended('FAILED', 'preview_skipped', `The check of ${shortSha(earlier)} has not passed. ${skipped}`, search);
}

/** Which preview it is. A skipped deployment passes, so the pull request's version of the file can't choose one. */
async function choose(
  ctx: SearchContext,
  run: PullRequestRun,
  suite: Suite,
  { version, settings }: { version: Version; settings: SuiteSettings },
): Promise<{ rules: PreviewRules; choice: PreviewChoice }> {
  const chooseBy = async (file: SuiteSettings) => {
    const rules = rulesFor(suite, file, run);
    return { rules, choice: await readChoice(ctx.db, run, rules) };
  };
  const chosen = await chooseBy(settings);
  const besides = isSkipped(chosen.choice) ? await settingsBesides(ctx, run, suite, version) : null;
  return besides === null ? chosen : chooseBy(besides);
}

/** What the run of a found preview needs besides its address. */
async function prepare(
  ctx: SearchContext,
  run: PullRequestRun,
  suite: Suite,
  version: Version,
  address: string | null,
): Promise<{ unknownSuites: string[]; config: SuiteConfig; own: OwnConfig | null }> {
  const names = (await linkedSuites(ctx, run)).map((linked) => linked.suite.name);
  const own = await findOwnConfig(ctx, run, suite, version, address);
  // The suite's settings may have changed while the run waited.
  const config = own?.config ?? suite.config;
  return { unknownSuites: unknownSuites(version.head.settings, names), config, own };
}

/**
 * Finds a run's preview, and whether it can be captured. Requests the repository's settings at the
 * head from GitHub, and some pages from the preview. Changes nothing.
 * @throws when GitHub does not answer.
 */
export async function lookForPreview(
  ctx: SearchContext,
  waiting: PullRequestRun,
  suite: Suite,
): Promise<PreviewOutcome> {
  const run = throughLink(waiting, suite);
  const head = await readConfigFile(ctx, { ...run, ref: run.headSha });
  if (head.settings === null) return ended('FAILED', 'config_file', head.problem);
  const pullRequest = await findPullRequest(ctx.db, run);
  const version = { head, fromFork: pullRequest?.fromFork !== false };
  const settings = await settingsOfPullRequest(ctx, run, suite, version);
  const isDraft = pullRequest?.draft === true;
  const judgedBy = { baseBranch: run.baseBranch, suiteId: suite.id, file: suite.configFile?.blobSha ?? null };
  const notWanted = await unwanted(ctx, run, settings, isDraft);
  if (notWanted !== null && (await isLeftOut(ctx, run, suite, version, { isDraft, end: notWanted }))) {
    return { kind: 'ended', end: { ...notWanted, judgedBy }, search: null };
  }
  const build = await findBuildOfCommit(ctx.db, suite.id, run.headSha);
  if (build !== null) {
    const prepared = await prepare(ctx, run, suite, version, null);
    return { kind: 'found', address: suite.baseUrl, buildId: build.id, ...prepared, judgedBy, search: null };
  }
  const { rules, choice } = await choose(ctx, run, suite, { version, settings });
  const search = { ...rules, ...remember(choice) };
  switch (choice.kind) {
    case 'waiting':
      return { kind: 'waiting', problem: null, search };
    case 'several':
      return { kind: 'several', search };
    case 'will_not_come':
      return willNotCome(choice, search, await findUnpassedEarlier(ctx.db, run, rules));
    case 'found': {
      const { address, problem } = await probe(ctx, run, suite, choice.preview);
      if (problem?.final === true) return ended('FAILED', 'preview_unusable', problem.message, search);
      if (problem !== null) return { kind: 'waiting', problem: problem.message, search };
      const prepared = await prepare(ctx, run, suite, version, address);
      const found = { address, reported: choice.preview.address, buildId: null, ...prepared };
      return { kind: 'found', ...found, judgedBy, search };
    }
  }
}

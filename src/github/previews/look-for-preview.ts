import type { Context } from '../../context.ts';
import type { GitHubContext } from '../app/github-client.ts';
import { AppError } from '../../errors.ts';
import { findRunnablePaths } from '../../pages/site-page-store.ts';
import type { EarlyEnd } from '../../pull-requests/end-pull-request-run.ts';
import type { PullRequestRun } from '../../pull-requests/pull-request-run.ts';
import type { Suite } from '../../suites/suite.ts';
import { isHostAllowed } from './allowed-host.ts';
import { changesMatchingFile } from './changed-files.ts';
import type { FileSettings } from './config-file.ts';
import { CONFIG_FILE } from './config-file.ts';
import type { PreviewCandidate } from './preview-address.ts';
import { fillTemplate, previewCandidates } from './preview-address.ts';
import { findPreviews } from './preview-store.ts';
import type { PreviewProblem } from './probe-preview.ts';
import { probePreview } from './probe-preview.ts';
import { findPullRequest } from '../../pull-requests/pull-request-store.ts';
import { readConfigFile } from './read-config-file.ts';

/** `problem`: why the preview that exists can't be captured yet. Null: there is no preview yet. */
export type PreviewSearch =
  | { kind: 'found'; address: string; unknownKeys: string[] }
  | { kind: 'waiting'; problem: string | null }
  | { kind: 'ended'; end: EarlyEnd };

type SearchContext = GitHubContext & Pick<Context, 'network'>;

/** A host reports a deployment as ready some moments before all of it is. */
const SETTLE_MS = 15_000;
const PROBE_TIMEOUT_MS = 15_000;
const SAMPLE = 3;

const ended = (status: EarlyEnd['status'], reason: EarlyEnd['reason'], error: string): PreviewSearch => ({
  kind: 'ended',
  end: { status, reason, error },
});

/** Why the repository's settings skip this state of the pull request. Null: they don't. */
async function unwanted(
  ctx: SearchContext,
  run: PullRequestRun,
  settings: FileSettings,
): Promise<PreviewSearch | null> {
  if (settings.ignoreDrafts && (await findPullRequest(ctx.db, run))?.draft === true) {
    const text = `The pull request is a draft, and ${CONFIG_FILE} ignores drafts. A run starts when the pull request is ready for review.`;
    return ended('COMPLETED', 'draft_ignored', text);
  }
  if (settings.paths !== null && !(await changesMatchingFile(ctx, run, settings.paths))) {
    return ended('COMPLETED', 'paths_unchanged', `No changed file matches \`paths\` in ${CONFIG_FILE}.`);
  }
  return null;
}

async function checkTarget(ctx: SearchContext, run: PullRequestRun, address: string): Promise<PreviewProblem | null> {
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

async function probe(
  ctx: SearchContext,
  run: PullRequestRun,
  suite: Suite,
  { address, announcedAt }: PreviewCandidate,
): Promise<PreviewProblem | null> {
  const refusal = await checkTarget(ctx, run, address);
  if (refusal !== null) return refusal;
  const { userAgent, timeout } = suite.config.crawlOptions;
  const visitor = { network: ctx.network, userAgent, timeout: Math.min(timeout, PROBE_TIMEOUT_MS) };
  const paths = await findRunnablePaths(ctx.db, suite.id, SAMPLE);
  const problem = await probePreview(visitor, { address, site: suite.baseUrl, paths });
  const hasSettled = announcedAt !== null && ctx.clock.now().getTime() - announcedAt.getTime() >= SETTLE_MS;
  return problem && { ...problem, final: problem.final || hasSettled };
}

/** The first candidate that can be captured. The search fails only when no candidate can still come up. */
async function firstUsable(
  ctx: SearchContext,
  run: PullRequestRun,
  suite: Suite,
  candidates: PreviewCandidate[],
): Promise<{ address: string } | { problem: PreviewProblem | null }> {
  const problems: PreviewProblem[] = [];
  for (const candidate of candidates) {
    const problem = await probe(ctx, run, suite, candidate);
    if (problem === null) return { address: candidate.address };
    problems.push(problem);
  }
  return { problem: problems.find((problem) => !problem.final) ?? problems[0] ?? null };
}

/**
 * Finds a run's preview (contract 7.11), and whether it can be captured. Requests the repository's settings at the
 * head from GitHub, and some pages from the preview. Changes nothing.
 * @throws when GitHub does not answer.
 */
export async function lookForPreview(
  ctx: SearchContext,
  waiting: PullRequestRun,
  suite: Suite,
): Promise<PreviewSearch> {
  // Since then, the App may have been reinstalled or the repository transferred.
  const run = { ...waiting, installationId: suite.codehost?.installationId ?? waiting.installationId };
  const file = await readConfigFile(ctx, { ...run, ref: run.headSha });
  if (file.settings === null) return ended('FAILED', 'config_file', file.problem);
  const { settings } = file;
  const notWanted = await unwanted(ctx, run, settings);
  if (notWanted !== null) return notWanted;
  const values = { number: run.number, branch: run.branch, sha: run.headSha };
  const template = settings.previewUrl === null ? null : fillTemplate(settings.previewUrl, values);
  const candidates = previewCandidates(await findPreviews(ctx.db, run), template);
  const found = await firstUsable(ctx, run, suite, candidates);
  if ('address' in found) return { kind: 'found', address: found.address, unknownKeys: settings.unknownKeys };
  if (found.problem?.final === true) return ended('FAILED', 'preview_unusable', found.problem.message);
  return { kind: 'waiting', problem: found.problem?.message ?? null };
}

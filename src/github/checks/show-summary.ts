import { runAddress } from '../../pull-requests/check/check-links.ts';
import { decideVerdict } from '../../pull-requests/check/check-verdict.ts';
import type { ShownCheck } from '../../pull-requests/check/check.ts';
import { decideSummaryCheck } from '../../pull-requests/check/summary-check.ts';
import type { ToldOnPullRequest } from '../../pull-requests/check/told.ts';
import { keepTold } from '../../pull-requests/pull-request-store.ts';
import type { PullRequest, SummaryShown } from '../../pull-requests/pull-request.ts';
import { sha256Of } from '../../text/sha256.ts';
import type { GitHub, GitHubContext } from '../app/github-client.ts';
import { findCheckRun, putCheckRun } from './put-check-run.ts';

/** The check is found by our own id if the answer to the request that made it was lost. */
const toKey = ({ owner, repo, number }: PullRequest, headSha: string, name: string) => ({
  owner,
  repo,
  headSha,
  name,
  externalId: `summary/${number}/${headSha}`,
});

/** The number of the pull request whose check over all suites has this id. Null: the check is another. */
export function parseSummaryId(externalId: string | undefined): number | null {
  const [, number] = /^summary\/(\d{1,9})\/[0-9a-f]+$/.exec(externalId ?? '') ?? [];
  return number === undefined ? null : Number(number);
}

const SUPERSEDED = {
  status: 'completed',
  conclusion: 'cancelled',
  title: 'A newer commit was pushed',
  summary: 'A newer commit was pushed.',
} as const;

async function endSummary(ctx: GitHubContext, pull: PullRequest, shown: SummaryShown, github: GitHub): Promise<void> {
  const { publicUrl: detailsUrl, checkName } = ctx.config;
  const check = { ...SUPERSEDED, detailsUrl };
  const key = toKey(pull, shown.headSha, checkName);
  await putCheckRun(github, key, shown.id, { check, completedAt: ctx.clock.now() });
  await keepTold(ctx.db, pull, { summary: { ...shown, isOpen: false } });
}

/**
 * Makes GitHub show the check over all suites at the head of a pull request, under the default name for checks. If a
 * suite's check at this head already has that name, this one appears with the next push. A head that shows it keeps it
 * up to date when no suite asks for it any more: a branch rule may require this check alone.
 */
export async function showSummary(
  ctx: GitHubContext,
  told: ToldOnPullRequest,
  github: () => Promise<GitHub>,
): Promise<void> {
  const { pullRequest: pull, suites, hasSummary, summary: shown } = told;
  const name = ctx.config.checkName;
  const isCurrent = shown?.headSha === pull.headSha;
  if (shown?.isOpen === true && !isCurrent) await endSummary(ctx, pull, shown, await github());
  const isNameTaken = suites.some(({ check }) => check.name.toLowerCase() === name.toLowerCase());
  if (isNameTaken || (!isCurrent && (!hasSummary || suites.length === 0))) return;
  const { publicUrl } = ctx.config;
  const verdicts = suites.map(({ suite, check }) => ({
    name: suite.name,
    verdict: decideVerdict(check),
    address: runAddress(publicUrl, check.run.id),
  }));
  const desired = decideSummaryCheck(verdicts, publicUrl);
  const fingerprint = sha256Of(JSON.stringify(desired));
  if (isCurrent && shown.fingerprint === fingerprint) return;
  const client = await github();
  const id = await show(ctx, client, told, desired);
  const isOpen = desired.status !== 'completed';
  await keepTold(ctx.db, pull, { summary: { headSha: pull.headSha, id, fingerprint, isOpen } });
}

/** @returns the number of the check */
async function show(
  ctx: GitHubContext,
  github: GitHub,
  { pullRequest: pull, summary: shown }: ToldOnPullRequest,
  check: ShownCheck,
): Promise<number> {
  const key = toKey(pull, pull.headSha, ctx.config.checkName);
  const known = shown?.headSha === pull.headSha ? shown.id : null;
  const existing = known ?? (await findCheckRun(github, key));
  return putCheckRun(github, key, existing, { check, completedAt: ctx.clock.now() });
}

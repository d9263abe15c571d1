import { z } from 'zod';
import { runAddress } from '../../pull-requests/check/check-links.ts';
import { decideVerdict } from '../../pull-requests/check/check-verdict.ts';
import { passes, type ShownCheck } from '../../pull-requests/check/check.ts';
import { readNewestCheck } from '../../pull-requests/check/run-check.ts';
import {
  buildGroupCheck,
  buildUngatedGroupCheck,
  decideSummaryCheck,
  type JudgedPullRequest,
  type SuiteVerdict,
} from '../../pull-requests/check/summary-check.ts';
import {
  findDefaultBranch,
  findOpenPullRequestsAt,
  findPullRequest,
  keepMergeGroup,
} from '../../pull-requests/pull-request-store.ts';
import { isGatedBase } from '../../pull-requests/pull-request.ts';
import type { JobPayloads } from '../../queue/job-kinds.ts';
import { hasSummaryCheck, linkedSuites, type LinkedSuite } from '../../suites/linked-suites.ts';
import { readCredentials } from '../app/credentials.ts';
import { askGitHub, installationClient, unlessGone, type GitHub, type GitHubContext } from '../app/github-client.ts';
import { findCheckRun, putCheckRun } from './put-check-run.ts';

/** The branch that GitHub creates for a merge queue group. It is named after the last pull request in the group. */
const BRANCH = /^(?:refs\/heads\/)?gh-readonly-queue\/(.+)\/pr-(\d+)-[0-9a-f]+$/;

/** The target branch of the group, and the last pull request in it. Null for any other branch. */
export function parseGroupBranch(ref: string): { baseBranch: string; number: number } | null {
  const [, baseBranch, number] = BRANCH.exec(ref) ?? [];
  return baseBranch === undefined || number === undefined ? null : { baseBranch, number: Number(number) };
}

const MERGE = /^Merge pull request #(\d+) from /;
const SQUASH = /\(#(\d+)\)$/;

/**
 * The pull requests that the commit messages of a group mention, in GitHub's wording for a merge or a squash. Pure.
 */
export function parsePullRequestNumbers(messages: string[]): number[] {
  const numbers = messages.flatMap((message) => {
    const [subject = ''] = message.split('\n', 1);
    const number = (MERGE.exec(subject) ?? SQUASH.exec(subject.trimEnd()))?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return [...new Set(numbers)];
}

type MergeGroup = JobPayloads['judge-merge-group'];

type Commit = { sha: string; message: string };

/** The fields that we use of GitHub's comparison of two commits. */
const Comparison = z
  .object({ commits: z.array(z.object({ sha: z.string(), commit: z.object({ message: z.string() }) })) })
  .catch({ commits: [] });

/** The commits that the group adds to its base. Empty if GitHub no longer knows them. */
async function readCommits(github: GitHub, group: MergeGroup, baseBranch: string): Promise<Commit[]> {
  const { owner, repo, headSha } = group;
  const compared = { owner, repo, basehead: `${baseBranch}...${headSha}`, per_page: 100 };
  const commits = await unlessGone(async () =>
    github.paginate(
      github.rest.repos.compareCommitsWithBasehead,
      compared,
      ({ data }) => Comparison.parse(data).commits,
    ),
  );
  return (commits ?? []).map(({ sha, commit }) => ({ sha, message: commit.message }));
}

/** The pull requests in the group: from the branch name, from commit messages, and from known heads. */
async function numbersIn(ctx: GitHubContext, github: GitHub, group: MergeGroup): Promise<number[]> {
  const branch = parseGroupBranch(group.headRef);
  if (branch === null) return [];
  const { owner, repo } = group;
  const numbers = new Set([branch.number]);
  const commits = await readCommits(github, group, branch.baseBranch);
  for (const number of parsePullRequestNumbers(commits.map((commit) => commit.message))) {
    // A commit may also mention a pull request that was merged long ago.
    if ((await findPullRequest(ctx.db, { owner, repo, number }))?.state === 'OPEN') numbers.add(number);
  }
  for (const { sha } of commits) {
    for (const { number } of await findOpenPullRequestsAt(ctx.db, { owner, repo, headSha: sha })) numbers.add(number);
  }
  return [...numbers].sort((one, other) => one - other);
}

/** The result of the suite's check for each pull request at its current head. */
async function judge(
  ctx: GitHubContext,
  suiteId: string,
  group: MergeGroup,
  numbers: number[],
): Promise<JudgedPullRequest[]> {
  const { owner, repo } = group;
  return Promise.all(
    numbers.map(async (number): Promise<JudgedPullRequest> => {
      const pull = await findPullRequest(ctx.db, { owner, repo, number });
      const check = pull === null ? null : await readNewestCheck(ctx.db, suiteId, pull);
      if (check === null) return { number, passes: false, says: 'No run', address: null };
      const verdict = decideVerdict(check);
      return {
        number,
        passes: passes(verdict),
        says: verdict.title,
        address: runAddress(ctx.config.publicUrl, check.run.id),
      };
    }),
  );
}

/** Makes one check for a suite on the group's head. An earlier job may have made it, and been interrupted. */
async function show(
  ctx: GitHubContext,
  github: GitHub,
  group: MergeGroup,
  name: string,
  check: ShownCheck,
): Promise<void> {
  const { owner, repo, headSha } = group;
  const key = { owner, repo, headSha, name, externalId: `merge-group/${headSha}` };
  await putCheckRun(github, key, await findCheckRun(github, key), { check, completedAt: ctx.clock.now() });
}

/** `judged`: null if the suite does not gate the base branch of the group. */
type JudgedBySuite = { name: string; judged: JudgedPullRequest[] | null; check: ShownCheck };

const hasRun = ({ address }: JudgedPullRequest) => address !== null;

/** As on a pull request, a suite without a run of its head does not count, unless no suite has one. */
function summarize(all: JudgedBySuite[], publicUrl: string): SuiteVerdict[] {
  const seen = new Set(all.flatMap(({ judged }) => judged ?? []).flatMap((one) => (hasRun(one) ? [one.number] : [])));
  return all.flatMap(({ name, judged, check }) => {
    const counted = judged?.filter((one) => hasRun(one) || !seen.has(one.number)) ?? [];
    if (counted.length === 0 && seen.size > 0 && judged !== null) return [];
    const verdict = judged === null ? check : buildGroupCheck(counted, publicUrl);
    return [{ name, verdict, address: verdict.detailsUrl }];
  });
}

async function judgeFor(ctx: GitHubContext, group: MergeGroup, suites: LinkedSuite[]): Promise<void> {
  const github = await installationClient(ctx, group.installationId);
  const branch = parseGroupBranch(group.headRef);
  const numbers = await numbersIn(ctx, github, group);
  const { owner, repo, headSha, headRef } = group;
  // Stored before they are judged: what changes from here on judges the group again.
  if (branch !== null) await keepMergeGroup(ctx.db, { owner, repo, headSha, headRef, numbers }, branch.number);
  const baseBranch = branch?.baseBranch ?? null;
  const defaultBranch = await findDefaultBranch(ctx.db, group);
  const judgedBy: JudgedBySuite[] = [];
  for (const { suite, checkName } of suites) {
    const isGated = baseBranch === null || isGatedBase(suite.config, baseBranch, defaultBranch);
    const judged = isGated ? await judge(ctx, suite.id, group, numbers) : null;
    const check =
      judged === null
        ? buildUngatedGroupCheck(baseBranch ?? '', ctx.config.publicUrl)
        : buildGroupCheck(judged, ctx.config.publicUrl);
    await show(ctx, github, group, checkName, check);
    judgedBy.push({ name: suite.name, judged, check });
    ctx.log.info(
      { owner, repo, headSha, numbers, suiteId: suite.id, conclusion: check.conclusion },
      'merge group judged',
    );
  }
  if (!hasSummaryCheck(suites.map(({ suite }) => suite))) return;
  const verdicts = summarize(judgedBy, ctx.config.publicUrl);
  await show(ctx, github, group, ctx.config.checkName, decideSummaryCheck(verdicts, ctx.config.publicUrl));
}

/**
 * Job: reports on the head of a merge group whether all its pull requests have passed visual review, with one check
 * for each suite of the repository. A pull request that is still being captured has not passed. While the group waits, a
 * change of one of their checks queues the job again.
 */
export async function judgeMergeGroup(ctx: GitHubContext, group: MergeGroup): Promise<void> {
  const { owner, repo } = group;
  const suites = await linkedSuites(ctx, { owner, repo });
  if (suites.length === 0 || (await readCredentials(ctx)) === null) return;
  await askGitHub(ctx, 'judge-merge-group', group, async () => judgeFor(ctx, group, suites), {
    delays: true,
    ifGone: (error) => ctx.log.warn({ err: error, ...group }, 'GitHub did not accept the check of this merge group'),
  });
}

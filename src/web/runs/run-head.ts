import type { Config } from '../../config.ts';
import { shortSha } from '../../text/format.ts';
import { webAddress } from '../../github/app/addresses.ts';
import { describeConfigChange } from '../../pull-requests/check/describe-config-change.ts';
import type { Approver } from '../../review/overview/approver.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import type { Run } from '../../runs/run.ts';
import { buildName } from '../../runs/builds/build.ts';
import type { People } from '../../runs/run-name.ts';
import { describeBeginning, describeSubject, runNumber } from '../../runs/run-name.ts';
import { isInFlight } from '../../runs/run.ts';
import { runTarget } from '../../runs/run-target.ts';
import type { CodeHostLink } from '../../suites/suite.ts';
import type { Badge } from '../badge.ts';
import { runBadge } from '../badge.ts';
import { runIcon } from '../run-row.ts';
import type { IconName } from '../icons.ts';

type Link = { label: string; href: string; icon: IconName };

const link = (label: string, href: string, icon: IconName): Link => ({ label, href, icon });

/** The content at the top of every page about a run. */
export type RunHead = {
  crumbs: { label: string; href: string }[];
  /** `#128 Pull request #12: Fix the header`. */
  title: string;
  /** The same with the name of the suite, for the browser's tab. */
  pageTitle: string;
  icon: IconName;
  ref: string | null;
  /** The target branch of the pull request. */
  baseBranch: string | null;
  /** False for a run that is only for information. */
  isGated: boolean;
  /** What the pull request changes in the configuration, in sentences. */
  configChange: string | null;
  badges: Badge[];
  /** It captures the suite's own site in place of a preview. */
  isNoPreview: boolean;
  /** The uploaded build that was captured. */
  build: string | null;
  /** Links to the captured site, the preview, and GitHub. */
  links: Link[];
  /** Screenshots that were proven unchanged, and those that were captured. Null: all were captured. */
  proven: { screenshots: number; captured: number } | null;
  /** What began it, as `by Ada`. */
  begun: string | null;
  /** The first line of the commit's message. */
  message: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  /** Null until the run has ended. */
  seconds: number | null;
  approvals: { name: string; results: number; lastAt: Date }[];
};

/** Makes a URL from an external source safe to link to. Null if it is not http or https. */
function webUrl(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}

const withoutScheme = (address: string) => address.replace(/^https?:\/\//, '').replace(/\/$/, '');

function onGitHub(config: Config, { owner, repo }: CodeHostLink, git: NonNullable<Run['git']>): Link[] {
  const repository = `${webAddress(config)}/${owner}/${repo}`;
  const { prNumber, headSha, branch } = git;
  const tree = (branch ?? '').split('/').map(encodeURIComponent).join('/');
  return [
    ...(prNumber === undefined
      ? []
      : [link(`${owner}/${repo}#${prNumber}`, `${repository}/pull/${prNumber}`, 'git-pull-request')]),
    ...(headSha === undefined ? [] : [link(shortSha(headSha), `${repository}/commit/${headSha}`, 'git-commit')]),
    ...(prNumber !== undefined || branch === undefined
      ? []
      : [link(`${owner}/${repo}`, `${repository}/tree/${tree}`, 'mark-github')]),
  ];
}

function runLinks(config: Config, { run, suite }: RunOverview): Link[] {
  const preview = webUrl(run.git?.previewUrl);
  const own = preview ?? (run.runType === 'PR' ? null : webUrl(run.targetBaseUrl));
  // A build is at the address of the suite, but what is there is not what was captured.
  const site = run.buildId === null ? own : null;
  return [
    ...(site === null ? [] : [link(withoutScheme(site), site, 'link-external')]),
    ...(suite.codehost === null || run.git === null ? [] : onGitHub(config, suite.codehost, run.git)),
  ];
}

/** Badges of a run. A failed run may still have changes to review. */
function runBadges(run: Run): Badge[] {
  const isFailedWithChanges = run.status === 'FAILED' && run.reviewState !== 'NOT_REQUIRED';
  return isFailedWithChanges ? [runBadge(run), runBadge({ ...run, status: 'COMPLETED' })] : [runBadge(run)];
}

function describeChange({ git }: Run): string | null {
  if (git?.configChange === undefined) return null;
  return describeConfigChange(git.configChange, git.baseBranch).join(' ');
}

function describeProven({ metadata }: Run): RunHead['proven'] {
  const { provenScreenshots: screenshots, totalScreenshots = 0 } = metadata ?? {};
  return screenshots === undefined ? null : { screenshots, captured: totalScreenshots - screenshots };
}

export function runHead(config: Config, overview: RunOverview, approvers: Approver[], people: People): RunHead {
  const { run, suite } = overview;
  const { what, ref } = describeSubject(run);
  const { startedAt, endedAt } = run;
  const over = !isInFlight(run.status);
  return {
    crumbs: [
      suite.kind === 'MANUAL' ? { label: 'Single pages', href: '/single-pages' } : { label: 'Suites', href: '/suites' },
      { label: suite.name, href: `/suites/${suite.id}` },
      { label: 'Runs', href: `/suites/${suite.id}/runs` },
    ],
    title: `${runNumber(run)} ${what}`,
    pageTitle: [`${runNumber(run)} ${what}`, ref, suite.name].filter((part) => part !== null).join(' · '),
    icon: runIcon(run),
    ref,
    baseBranch: run.git?.baseBranch ?? null,
    isGated: run.isGated,
    configChange: describeChange(run),
    badges: runBadges(run),
    isNoPreview: run.runType === 'BRANCH' && runTarget(suite, run).isOwnSite,
    build: run.buildId === null ? null : buildName(run.buildId),
    links: runLinks(config, overview),
    proven: describeProven(run),
    begun: describeBeginning(run, people),
    message: run.git?.message ?? null,
    createdAt: run.createdAt,
    startedAt,
    endedAt: over ? endedAt : null,
    seconds: !over || startedAt === null || endedAt === null ? null : (endedAt.getTime() - startedAt.getTime()) / 1000,
    approvals: approvers.map(({ user, results, lastAt }) => ({
      name: user.name ?? user.email ?? 'a deleted user',
      results,
      lastAt,
    })),
  };
}

import { assertNever } from '../errors.ts';
import { formatAge } from '../text/format.ts';
import { describeEnding } from '../runs/end-reason.ts';
import type { Run } from '../runs/run.ts';
import { isInFlight } from '../runs/run.ts';
import type { RunTally } from '../review/overview/tally-runs.ts';
import type { Badge } from './badge.ts';
import { SECTION_BADGES, runBadge } from './badge.ts';

/** What the partial `run-row` prints: one run in a list of runs. */
export type ListedRun = {
  href: string;
  /** The suite's name if the list covers several suites, otherwise what started the run. */
  title: string;
  /** What started the run, if the title does not say so. */
  what: string | null;
  icon: string;
  /** The branch, or the host of the preview if there is no branch. */
  ref: string | null;
  badge: Badge;
  counts: { text: string; tone: Badge['tone'] }[];
  /** Set while the run is in flight and the total is known. */
  progress: { settled: number; total: number } | null;
  /** Why the run failed or was cancelled, or what it waits for. */
  note: string | null;
  createdAt: Date;
  age: string;
  /** Null until the run has ended. */
  seconds: number | null;
  /** A link to the review, if the list offers it. `name` is its label for screen readers. */
  review: { href: string; name: string } | null;
};

type RunOfList = Run & { testSuite?: { name: string } };

const parseHost = (url: string) => (URL.canParse(url) ? new URL(url).host : null);

/** What started a run, for people. */
export function runOrigin({ runType, git, targetBaseUrl }: Pick<Run, 'runType' | 'git' | 'targetBaseUrl'>): {
  what: string;
  icon: string;
  ref: string | null;
} {
  switch (runType) {
    case 'MANUAL':
      return { what: 'Site run', icon: 'play', ref: null };
    case 'PR': {
      const number = git?.prNumber === undefined ? '' : ` #${git.prNumber}`;
      return { what: `Pull request${number}`, icon: 'git-pull-request', ref: git?.branch ?? null };
    }
    case 'BRANCH':
      return { what: 'Branch preview', icon: 'git-branch', ref: git?.branch ?? parseHost(targetBaseUrl) };
    default:
      return assertNever(runType);
  }
}

function countBadges(tally: RunTally | undefined, isPending: boolean): ListedRun['counts'] {
  if (tally === undefined) return [];
  const { counts, approved } = tally;
  const found = (['changed', 'new', 'error'] as const).flatMap((section) => {
    const amount = counts[section];
    const word = section === 'error' && amount !== 1 ? 'errors' : section;
    return amount === 0 ? [] : [{ text: `${amount} ${word}`, tone: SECTION_BADGES[section].tone }];
  });
  return isPending && approved > 0 ? [...found, { text: `${approved} approved`, tone: 'success' }] : found;
}

function describeStatus({ status, runType, git, metadata }: Run): string | null {
  if (status === 'FAILED' || status === 'COMPLETED') return metadata?.error ?? null;
  if (status === 'CANCELLED') return describeEnding(metadata);
  const waits = status === 'PENDING' && runType === 'PR' && git?.enqueued !== true;
  return waits ? 'Waiting for a preview deployment' : null;
}

function countSeconds({ startedAt, endedAt }: Run): number | null {
  return startedAt === null || endedAt === null ? null : (endedAt.getTime() - startedAt.getTime()) / 1000;
}

/**
 * @param run includes its suite if the list covers several suites
 * @param tally from `tallyRuns`
 * @param review whether to link to the review
 */
export function runRow(
  run: RunOfList,
  tally: RunTally | undefined,
  now: Date,
  { review }: { review: boolean } = { review: false },
): ListedRun {
  const { what, icon, ref } = runOrigin(run);
  const hasStarted = isInFlight(run.status) && tally !== undefined && tally.total > 0;
  const progress = hasStarted ? { settled: tally.settled, total: tally.total } : null;
  return {
    href: `/runs/${run.id}`,
    title: run.testSuite?.name ?? what,
    what: run.testSuite === undefined ? null : what,
    icon,
    ref,
    badge: runBadge(run),
    counts: countBadges(tally, run.reviewState === 'PENDING'),
    progress,
    note: describeStatus(run),
    createdAt: run.createdAt,
    age: formatAge(run.createdAt, now),
    seconds: countSeconds(run),
    review: review ? { href: `/runs/${run.id}/review`, name: `Review ${run.testSuite?.name ?? ''} ${what}` } : null,
  };
}

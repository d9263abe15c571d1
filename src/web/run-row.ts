import { personName } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { readAskers, type Asked } from '../review/verdicts/read-verdicts.ts';
import type { Assignee } from '../runs/assignees/assignee-sql.ts';
import { readPeople } from '../runs/list/list-runs.ts';
import { readShots, type Shots } from '../runs/results/list-results.ts';
import { countBySection, type ReviewSection } from '../runs/results/result.ts';
import { describeBeginning, describeSubject, runNumber, type People } from '../runs/run-name.ts';
import {
  describeEnding,
  isDecidable,
  isInFlight,
  sumResults,
  waitsForReview,
  type Run,
  type RunSummary,
  type RunType,
} from '../runs/run.ts';
import { formatAge, formatCount, formatNumber, shortSha } from '../text/format.ts';
import { runBadge, SECTION_BADGES, type Badge } from './badge.ts';
import { resultThumbnail } from './comparison/read-image.ts';
import type { IconName } from './icons.ts';

/** What the partial `run-row` prints: one run in a list of runs. */
export type ListedRun = ReturnType<typeof runRow>;

type RunOfList = RunSummary & { testSuite?: { name: string }; assignees?: readonly Assignee[] };

const ICONS: Record<RunType, IconName> = { MANUAL: 'play', PR: 'git-pull-request', BRANCH: 'git-branch' };

export const runIcon = ({ runType }: Pick<Run, 'runType'>): IconName => ICONS[runType];

/** A run's progress and findings. Each number counts results. */
export type RunTally = {
  counts: Record<ReviewSection, number>;
  total: number;
  /** Results that are neither pending nor cancelled. */
  settled: number;
  approved: number;
};

export function tallyRun(run: Pick<Run, 'sectionCounts' | 'approvedResults'>): RunTally {
  const counts = countBySection(run.sectionCounts.map((results, reviewRank) => ({ reviewRank, results })));
  const total = sumResults(run);
  return { counts, total, settled: total - counts.pending - counts.cancelled, approved: run.approvedResults };
}

/** `Ada, Bob`. */
export const nameAssignees = (assignees: readonly Assignee[]): string => assignees.map(personName).join(', ');

/** What a run found. While it waits for a review, only what is left. */
function countBadges({ counts, approved }: RunTally, { reviewState, runType, status }: RunOfList) {
  const count = (amount: number, text: string, tone: Badge['tone']) => (amount === 0 ? [] : [{ text, tone }]);
  const errors = count(counts.error, formatCount(counts.error, 'error'), 'danger');
  if (reviewState === 'PENDING' && isDecidable(status)) {
    // A new screenshot of the site itself is a baseline at once.
    const left = Math.max(0, counts.changed + (runType === 'MANUAL' ? 0 : counts.new) - approved);
    return [
      ...count(left, `${formatNumber(left)} left to review`, 'attention'),
      ...count(approved, `${formatNumber(approved)} approved`, 'success'),
      ...errors,
    ];
  }
  const found = (['changed', 'new'] as const).flatMap((section) =>
    count(counts[section], `${formatNumber(counts[section])} ${section}`, SECTION_BADGES[section].tone),
  );
  return [...found, ...errors];
}

function describeStatus({ status, runType, git, metadata, cancelledById }: RunSummary, people: People): string | null {
  if (status === 'FAILED' || status === 'COMPLETED') return metadata?.error ?? null;
  if (status === 'CANCELLED') return describeEnding(metadata, people.get(cancelledById ?? ''));
  const waits = status === 'PENDING' && runType === 'PR' && git?.enqueued !== true;
  return waits ? 'Waiting for a preview deployment' : null;
}

/** How long it took. Null: it has not started, or not ended. */
export function countSeconds({ startedAt, endedAt }: Pick<Run, 'startedAt' | 'endedAt'>): number | null {
  return startedAt === null || endedAt === null ? null : (endedAt.getTime() - startedAt.getTime()) / 1000;
}

/** The commit with the first line of its message, as far as they are known. */
function describeCommit({ git, merged }: Pick<Run, 'git' | 'merged'>): string | null {
  const { headSha, message } = { ...merged, ...git };
  const parts = [headSha === undefined ? null : shortSha(headSha), message ?? null].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ');
}

/** Data for a row that is not in the run itself. */
type AboutRuns = { people?: People; shots?: Shots; asked?: Asked };

/**
 * @param run includes its suite if the list covers several suites
 * @param review whether to link to the review
 */
export function runRow(
  run: RunOfList,
  now: Date,
  { review, people = new Map(), shots, asked }: AboutRuns & { review?: 'primary' | 'plain' | undefined } = {},
) {
  const { what: subject, ref } = describeSubject(run);
  const what = `${runNumber(run)} ${subject}`;
  const tally = tallyRun(run);
  const hasStarted = isInFlight(run.status) && tally.total > 0;
  const progress = hasStarted ? { settled: tally.settled, total: tally.total } : null;
  return {
    id: run.id,
    href: `/runs/${run.id}`,
    title: run.testSuite?.name ?? what,
    what: run.testSuite === undefined ? null : what,
    icon: runIcon(run),
    ref,
    commit: describeCommit(run),
    begun: describeBeginning(run, people),
    badge: runBadge(run),
    counts: countBadges(tally, run),
    progress,
    note: describeStatus(run, people),
    waitingFor: waitsForReview(run) ? nameAssignees(run.assignees ?? []) || null : null,
    asked: asked?.get(run.id) ?? null,
    shots: (shots?.get(run.id) ?? []).flatMap((shot) => resultThumbnail(shot, 'small') ?? []),
    createdAt: run.createdAt,
    age: formatAge(run.createdAt, now),
    seconds: countSeconds(run),
    review:
      review === undefined
        ? null
        : {
            href: `/runs/${run.id}/review`,
            name: `Review ${run.testSuite?.name ?? ''} ${what}`,
            isPrimary: review === 'primary',
          },
  };
}

/** The rows of a list, with all their data. The caller may read the runs. */
export async function listRunRows(
  ctx: Pick<Context, 'db' | 'clock'>,
  runs: readonly RunOfList[],
): Promise<(run: RunOfList, review?: 'primary' | 'plain') => ListedRun> {
  const [people, shots, asked] = await Promise.all([
    readPeople(ctx, runs),
    readShots(ctx, runs),
    readAskers(ctx, runs),
  ]);
  const now = ctx.clock.now();
  return (run, review) => runRow(run, now, { people, shots, asked, review });
}

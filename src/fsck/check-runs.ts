import { inSnapshot, type Db } from '../db/database.ts';
import { decideVerdict } from '../pull-requests/check/check-verdict.ts';
import { readRunCheck } from '../pull-requests/check/run-check.ts';
import { jobKey } from '../queue/enqueue.ts';
import { hasJobs } from '../queue/job-store.ts';
import { findRunIds } from '../retention/named-object-store.ts';
import { decideBySums, decideGate } from '../runs/outcome.ts';
import { slotKeys } from '../runs/page-jobs/open-runs.ts';
import { findOpenWork } from '../runs/page-jobs/page-work-store.ts';
import { REVIEW_SECTIONS } from '../runs/results/result.ts';
import { isDecidable, isInFlight } from '../runs/run.ts';
import { settingsReview } from '../runs/settings-change/settings-change.ts';
import type { Fault } from './fault.ts';
import { countResults, type CountedRun } from './run-counts-store.ts';

/** Runs have up to 10,000 results. */
const BATCH = 50;

const COUNTERS = ['totalPages', 'totalScreenshots', 'passedTests', 'failedTests', 'errorTests'] as const;

type Found = Pick<Fault, 'kind' | 'message'>;

/** One that is about to be given up counts, too: what follows from that is still to come. */
const hasOneOf = async (db: Db, keys: (string | null)[]) => hasJobs(db, keys, 'all');

/** Counters, outcome and gate are what the results say. A run that ended early has no counters. */
function findInEnded(run: CountedRun): Found[] {
  if (!isDecidable(run.status) || run.metadata?.totalPages === undefined) return [];
  const { status, metadata } = decideBySums(run);
  const gate = decideGate(run, settingsReview(run));
  const counts = COUNTERS.filter((name) => run.metadata?.[name] !== metadata[name]).map((name): Found => ({
    kind: 'wrong_count',
    message: `${name} is ${run.metadata?.[name]}, its results say ${metadata[name]}`,
  }));
  if (run.status !== status) {
    counts.push({ kind: 'wrong_count', message: `it is ${run.status}, its results say ${status}` });
  }
  if (run.reviewState !== gate) {
    counts.push({ kind: 'wrong_gate', message: `its gate is ${run.reviewState}, its results say ${gate}` });
  }
  return counts;
}

function findInCounts(run: CountedRun): Found[] {
  const wrong: string[] = [];
  if (run.total !== run.results) wrong.push(`it should have ${run.total} results and has ${run.results}`);
  const sections = REVIEW_SECTIONS.filter((_, rank) => run.saidSections[rank] !== run.sections[rank]);
  if (sections.length > 0) wrong.push(`its counts of results are wrong: ${sections.join(', ')}`);
  if (run.saidApproved !== run.allApproved) {
    wrong.push(`it counts ${run.saidApproved} approved results of ${run.allApproved}`);
  }
  const found = wrong.map((message): Found => ({ kind: 'wrong_count', message }));
  if (!isInFlight(run.status) && run.pending > 0) {
    found.push({ kind: 'unsettled_result', message: `it has ended with ${run.pending} unsettled` });
  }
  return [...found, ...findInEnded(run)];
}

/** Leaves out what a job is about to correct: jobs change results one by one, and the run after that. */
async function findWrongCounts(db: Db, run: CountedRun): Promise<Found[]> {
  const found = findInCounts(run);
  const keys = [jobKey('judge-run', { runId: run.id }), jobKey('compare-anew', { runId: run.id })];
  return found.length === 0 || (await hasOneOf(db, keys)) ? [] : found;
}

/** A run in flight has a job for what comes next. */
async function findStanding(db: Db, { id: runId, suiteId, ...run }: CountedRun): Promise<string | null> {
  if (run.awaitsPreview) {
    const keys = [jobKey('find-preview', { runId }), jobKey('expire-preview', { runId })];
    return (await hasOneOf(db, keys)) ? null : 'no job looks for its preview';
  }
  if (run.pending === 0) return (await hasOneOf(db, [jobKey('finish-run', { runId })])) ? null : 'no job ends it';
  for (const work of await findOpenWork(db, runId)) {
    if (!(await hasOneOf(db, slotKeys(suiteId, work)))) return `no slot of its suite is to ${work} its pages`;
  }
  return null;
}

const said = ({ status, conclusion }: { status: string; conclusion: string | null }) => conclusion ?? status;

/**
 * Either GitHub shows what the run demands, or a job is about to show it, or GitHub no longer accepts it. Titles may
 * differ.
 */
async function findBehind(db: Db, runId: string): Promise<string | null> {
  const check = await readRunCheck(db, runId);
  if (check === null || check.shown?.state === 'gone') return null;
  const needed = said(decideVerdict(check));
  const shown = check.shown?.state === 'shown' ? said(check.shown) : 'nothing';
  if (needed === shown || (await hasOneOf(db, [jobKey('show-check', { runId })]))) return null;
  return `its check should be ${needed}, and GitHub shows ${shown}`;
}

async function findIn(db: Db, run: CountedRun, checks: boolean): Promise<Fault[]> {
  const standing = isInFlight(run.status) ? await findStanding(db, run) : null;
  const behind = checks && run.isOfPullRequest ? await findBehind(db, run.id) : null;
  const found: Found[] = [
    ...(await findWrongCounts(db, run)),
    ...(standing === null ? [] : [{ kind: 'run_without_job' as const, message: standing }]),
    ...(behind === null ? [] : [{ kind: 'check_behind' as const, message: behind }]),
  ];
  return found.map((each) => ({ suiteId: run.suiteId, subject: `run ${run.id}`, ...each }));
}

/**
 * Checks that each run of the suite agrees with its results and has the jobs that it needs.
 * @param checks also what GitHub shows
 */
export async function* checkRuns(db: Db, suiteId: string, checks: boolean): AsyncGenerator<Fault> {
  for await (const ids of findRunIds(db, suiteId, BATCH)) {
    yield* await inSnapshot(db, async (trx) => {
      const faults: Fault[] = [];
      for (const run of await countResults(trx, ids)) faults.push(...(await findIn(trx, run, checks)));
      return faults;
    });
  }
}

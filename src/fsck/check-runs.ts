import type { Db } from '../db/database.ts';
import { jobKey } from '../queue/enqueue.ts';
import { findKeysWithoutJob } from '../queue/has-jobs.ts';
import { REVIEW_SECTIONS } from '../review/list/review-section.ts';
import { decideBySums } from '../runs/outcome.ts';
import { decideGate } from '../runs/review-state.ts';
import { isDecidable, isInFlight } from '../runs/run.ts';
import type { Fault } from './fault.ts';
import { readBatches } from './read-batches.ts';
import { countResults, findRunIds } from './run-check-store.ts';
import type { CountedRun } from './run-check-store.ts';

/** Runs have up to 10,000 results. */
const BATCH = 50;

const COUNTERS = ['totalPages', 'totalScreenshots', 'passedTests', 'failedTests', 'errorTests'] as const;

/** A run that ended early, or could not be finished, has no counters. */
const isCounted = ({ status, metadata }: CountedRun) => isDecidable(status) && metadata?.totalPages !== undefined;

function findInEnded(run: CountedRun): Pick<Fault, 'kind' | 'message'>[] {
  if (!isCounted(run)) return [];
  const outcome = decideBySums(run);
  const gate = decideGate(run);
  const wrong = COUNTERS.filter((name) => run.metadata?.[name] !== outcome.metadata[name]);
  const counts = wrong.map((name) => `${name} is ${run.metadata?.[name]}, its results say ${outcome.metadata[name]}`);
  const status = run.status === outcome.status ? [] : [`it is ${run.status}, its results say ${outcome.status}`];
  return [
    ...[...status, ...counts].map((message) => ({ kind: 'wrong_count' as const, message })),
    ...(run.reviewState === gate
      ? []
      : [{ kind: 'wrong_gate' as const, message: `its gate is ${run.reviewState}, its results say ${gate}` }]),
  ];
}

function findIn(run: CountedRun): Fault[] {
  const about = { suiteId: run.suiteId, subject: `run ${run.id}` };
  const total = run.total === run.results ? [] : [`it should have ${run.total} results and has ${run.results}`];
  const wrong = REVIEW_SECTIONS.filter((_, rank) => run.saidSections[rank] !== run.sections[rank]);
  const sections = wrong.length === 0 ? [] : [`its counts of results are wrong: ${wrong.join(', ')}`];
  const approved =
    run.saidApproved === run.allApproved
      ? []
      : [`it counts ${run.saidApproved} approved results of ${run.allApproved}`];
  const pending = isInFlight(run.status) || run.pending === 0 ? [] : [`it has ended with ${run.pending} unsettled`];
  return [
    ...[...total, ...sections, ...approved].map((message): Fault => ({ kind: 'wrong_count', ...about, message })),
    ...pending.map((message): Fault => ({ kind: 'unsettled_result', ...about, message })),
    ...findInEnded(run).map((found): Fault => ({ ...about, ...found })),
  ];
}

/** Jobs that change results one by one and then the run. */
function judgingKeys(runId: string): string[] {
  return [jobKey('judge-run', { runId }), jobKey('compare-anew', { runId })].filter((key) => key !== null);
}

/** What is still wrong when nothing works on the run. */
async function confirm(db: Db, id: string): Promise<Fault[]> {
  const keys = judgingKeys(id);
  if ((await findKeysWithoutJob(db, keys)).size < keys.length) return [];
  return (await countResults(db, [id])).flatMap(findIn);
}

/** Status, counters and gate of each run are what its results say, and nothing of a run that has ended is unsettled. */
export async function* checkRuns(db: Db): AsyncGenerator<Fault> {
  for await (const ids of readBatches(BATCH, (after: string | null, size) => findRunIds(db, after, size))) {
    const suspects = (await countResults(db, ids)).filter((run) => findIn(run).length > 0);
    for (const { id } of suspects) yield* await confirm(db, id);
  }
}

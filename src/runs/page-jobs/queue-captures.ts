import type { Db } from '../../db/database.ts';
import { enqueue, slotQueue } from '../../queue/enqueue.ts';
import { enqueueInTurns, findLastRound } from '../../queue/share-turns.ts';
import type { Flow } from '../../queue/share-turns.ts';
import type { Run, RunType } from '../run.ts';
import { findOwnRunsInFlight, findOwner } from './capture-flow-store.ts';

/** A hash of the path that is the same on every host. It spreads pages over a suite's slots. */
function spread(path: string): number {
  let sum = 0;
  for (const character of path) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return sum;
}

/** The queue of one page is always the same of those that the suite may use at once. */
async function placeOf(db: Db, { testSuiteId, config }: Run, path: string, work: 'capture' | 'compare') {
  const slots = work === 'capture' ? config.screenshotConcurrency : config.comparisonConcurrency;
  const userId = await findOwner(db, testSuiteId);
  return { queue: slotQueue(work, testSuiteId, spread(path) % slots), userId };
}

/** A pull request waits for its run; nobody may be waiting for one of the site. */
const WEIGHTS = { PR: 1, BRANCH: 1, MANUAL: 4 } as const satisfies Record<RunType, number>;

/** The runs of one user that may have captures waiting. Suites take turns, and in each suite its runs. */
async function findFlows(trx: Db, userId: string): Promise<Flow[]> {
  const runs = await findOwnRunsInFlight(trx, userId);
  return runs.map(({ id, testSuiteId, runType }) => ({ of: id, group: testSuiteId, weight: WEIGHTS[runType] }));
}

/**
 * One job per page, spread over as many queues as the suite may capture pages at once on all hosts (contract 3). They take
 * turns with other captures: of other users, then of the owner's other suites, then of the suite's other runs.
 */
export async function queueCaptures(trx: Db, run: Run, paths: string[]): Promise<void> {
  const slots = run.config.screenshotConcurrency;
  const first = spread(run.id);
  const userId = await findOwner(trx, run.testSuiteId);
  if (userId === null) return;
  await enqueueInTurns(trx, 'capture-page', {
    userId,
    field: 'runId',
    findFlows: () => findFlows(trx, userId),
    jobs: paths.map((path, index) => ({
      payload: { runId: run.id, path },
      options: { queue: slotQueue('capture', run.testSuiteId, (first + index) % slots) },
    })),
  });
}

/** The same for one page of a run, at a later time, behind what waits now. */
export async function queueCaptureLater(trx: Db, run: Run, path: string, runAt: Date): Promise<void> {
  const priority = await findLastRound(trx, 'capture-page');
  await enqueue(
    trx,
    'capture-page',
    { runId: run.id, path },
    { ...(await placeOf(trx, run, path, 'capture')), runAt, priority },
  );
}

/** At most one comparison of a page waits at a time, so a page with several viewports does not queue several jobs. */
export async function queueComparison(trx: Db, run: Run, path: string): Promise<void> {
  await enqueue(trx, 'compare-page', { runId: run.id, path }, await placeOf(trx, run, path, 'compare'));
}

/** Captures a page on the suite's own site as well. At most one such job of a page waits, whatever its viewports. */
export async function queueControl(trx: Db, run: Run, path: string, runAt?: Date): Promise<void> {
  const place = await placeOf(trx, run, path, 'capture');
  await enqueue(trx, 'capture-control', { runId: run.id, path }, runAt === undefined ? place : { ...place, runAt });
}

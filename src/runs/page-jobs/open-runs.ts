import type { Context, WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import type { SuiteConfig } from '../../suites/config/suite-config.ts';
import { describeSiteAccess } from '../../suites/site-access/read-site-access.ts';
import { findSuite } from '../../suites/suite-store.ts';
import type { Suite } from '../../suites/suite.ts';
import { appendLogs } from '../log/log-store.ts';
import { findRun, moveRun } from '../run-store.ts';
import { runTarget, type RunTarget } from '../run-target.ts';
import type { Run } from '../run.ts';
import { findBaseConfig } from '../settings-change/settings-change-store.ts';
import { createOwnSite, createVisits, type OwnSite, type VisitOfRun } from './own-site.ts';
import type { Pace } from './pace.ts';

/** A run of which a page is captured. */
export type CapturedRun = {
  run: Run;
  suite: Suite;
  target: RunTarget;
  /** The configuration of the base, where the run's pull request loosens it. */
  base: SuiteConfig | null;
  visit: VisitOfRun;
  ownSite: OwnSite;
  pace: Pace;
};

/** Writes to the run's log which access its requests carry, and who changed that last. */
async function logSiteAccess(
  { db }: Pick<Context, 'db'>,
  { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>,
): Promise<void> {
  const message = await describeSiteAccess({ db }, testSuiteId);
  if (message !== null) await appendLogs(db, id, [{ type: 'INFO', message }]);
}

type OpenRun = Omit<CapturedRun, 'pace'>;

/** The runs that a slot works on. */
export type OpenRuns = {
  /** Null when the run has ended or was deleted. */
  open(runId: string): Promise<OpenRun | null>;
};

/** The data of a run is read again after this time, ms. Whether it still runs is checked before anything is written. */
const FRESH_MS = 2000;

/** In one transaction, because if the worker died in between, no other job would write the rest. */
async function begin(ctx: WorkerContext, run: Run): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await moveRun(trx, run.id, ['PENDING'], 'RUNNING'))) return;
    await appendLogs(trx, run.id, [{ type: 'SYSTEM', message: 'Run started', progress: 0 }]);
    await logSiteAccess({ db: trx }, run);
  });
}

/** The first page of a run moves it to RUNNING. */
async function read(ctx: WorkerContext, runId: string): Promise<OpenRun | null> {
  const found = await findRun(ctx.db, runId);
  if (found?.status === 'PENDING') await begin(ctx, found);
  const run = found?.status === 'PENDING' ? await findRun(ctx.db, runId) : found;
  const suite = run?.status === 'RUNNING' ? await findSuite(ctx.db, run.testSuiteId) : null;
  if (run?.status !== 'RUNNING' || suite === null) return null;
  const visit = createVisits(ctx, run);
  return {
    run,
    suite,
    target: runTarget(suite, run),
    base: await findBaseConfig(ctx.db, run),
    visit,
    ownSite: createOwnSite(ctx, { run, suite, visit }),
  };
}

export function createOpenRuns(ctx: WorkerContext): OpenRuns {
  let last: { runId: string; at: number; reading: Promise<OpenRun | null> } | null = null;
  return {
    async open(runId) {
      const now = performance.now();
      if (last === null || last.runId !== runId || now - last.at > FRESH_MS) {
        last = { runId, at: now, reading: read(ctx, runId) };
      }
      const { reading } = last;
      const opened = await reading;
      if (opened === null && last.reading === reading) last = null;
      return opened;
    },
  };
}

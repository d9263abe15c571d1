import { isRecent } from '../../async/is-recent.ts';
import type { Context } from '../../context.ts';
import type { CrawlDetails } from '../../pages/crawl/crawl.ts';
import type { PageTally } from '../../pages/site-page.ts';
import { listNewestRuns } from '../../runs/list/list-runs.ts';
import { isInFlight, type RunSummary } from '../../runs/run.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';

/** The next step for the owner of a suite, until there are baselines and a second run. At most one of these is set. */
type NextStep = {
  /** The first run is about to start automatically. */
  soon: boolean;
  /** The first run, by its state. */
  running: string | null;
  captured: string | null;
  failed: string | null;
  /** Pages that could be tracked. */
  track: number | null;
  /** Tracked pages that were never captured. */
  run: number | null;
};

const NOTHING: NextStep = { soon: false, running: null, captured: null, failed: null, track: null, run: null };

/** The job that starts it may take a moment. */
const SOON_MS = 30_000;

function isFirstRunSoon(ctx: Pick<Context, 'clock'>, { crawl }: SuiteForViewer, { tracking }: CrawlDetails): boolean {
  if (crawl.status !== 'COMPLETED' || crawl.lastCrawledAt === null || tracking === null) return false;
  return tracking.tracked > 0 && isRecent(ctx.clock.now(), crawl.lastCrawledAt, SOON_MS);
}

function afterFirstRun(run: RunSummary): NextStep {
  const href = `/runs/${run.id}`;
  if (run.runType !== 'MANUAL') return NOTHING;
  if (isInFlight(run.status)) return { ...NOTHING, running: href };
  return run.status === 'COMPLETED' ? { ...NOTHING, captured: href } : { ...NOTHING, failed: href };
}

/**
 * @param details of the suite's crawl
 * @param counts of the suite's pages, and of its runs
 */
export async function readNextStep(
  ctx: Pick<Context, 'db' | 'clock'>,
  suite: SuiteForViewer,
  details: CrawlDetails,
  { total, runnable, runs }: Pick<PageTally, 'total' | 'runnable'> & { runs: number },
): Promise<NextStep> {
  // A person who started the first run manually has seen it.
  if (runs > 1 || (runs === 1 && details.tracking === null)) return NOTHING;
  if (runs === 1) {
    const [run] = (await listNewestRuns(ctx, [suite], 1)).get(suite.id)?.runs ?? [];
    return run === undefined ? NOTHING : afterFirstRun(run);
  }
  if (suite.isActive && isFirstRunSoon(ctx, suite, details)) return { ...NOTHING, soon: true };
  if (runnable > 0) return { ...NOTHING, run: runnable };
  return total > 0 ? { ...NOTHING, track: total } : NOTHING;
}

import type { Client, RunInput } from './api-client.ts';
import type { SitePages, TestRun } from './api-shapes.ts';
import { pollUntilDone } from './poll-until-done.ts';
import type { Screen } from './screen.ts';

/** What every step of the demo needs. */
export type Stage = { client: Client; screen: Screen; signal: AbortSignal };

/** The outcome of the demo. */
export type Shown = {
  lines: string[];
  /** What was not as expected. If there is nothing, `asPlanned` is the sentence that says so. */
  problems: string[];
  asPlanned: string;
  /** The run that the demo ends with. */
  runId: string;
};

const INTERVAL = 200;
const PATIENCE = 180_000;

/** Crawls the suite's site and returns its pages, sorted by path. */
export async function discover({ client, screen, signal }: Stage, suiteId: string): Promise<SitePages['pages']> {
  await client.crawl(suiteId);
  const { pages, crawl } = await pollUntilDone({
    ask: () => client.pages(suiteId),
    isDone: (answer) => answer.crawl.status === 'COMPLETED' || answer.crawl.status === 'FAILED',
    onAnswer(answer) {
      screen.progress('Crawling: pages found', answer.pages.length, null);
      return `${answer.crawl.status}, ${answer.pages.length} pages`;
    },
    interval: INTERVAL,
    patience: PATIENCE,
    what: 'The crawl',
    signal,
  });
  if (crawl.status === 'FAILED') throw new Error(`The crawl failed: ${crawl.error ?? 'unknown reason'}`);
  return pages.filter((page) => page.status !== 'REMOVED').sort((a, b) => a.path.localeCompare(b.path));
}

/** Starts a run and follows it until it has finished, whatever the outcome. */
export async function follow(stage: Stage, suiteId: string, phase: string, input: RunInput): Promise<TestRun> {
  const { client, screen, signal } = stage;
  const { testRunId } = await client.startRun(suiteId, input);
  return pollUntilDone({
    ask: () => client.run(testRunId),
    isDone: (run) => run.status !== 'PENDING' && run.status !== 'RUNNING',
    onAnswer(run) {
      const done = run.pageResults.filter((result) => result.status !== 'PENDING').length;
      screen.progress(`${phase}: screenshots`, done, run.pageResults.length);
      return `${run.status}, ${done} of ${run.pageResults.length} screenshots`;
    },
    interval: INTERVAL,
    patience: PATIENCE,
    what: phase,
    signal,
  });
}

/** A one-line summary of a finished run. */
export function summary(phase: string, run: TestRun): string {
  const counts = ['PASS', 'FAIL', 'ERROR'].flatMap((status) => {
    const count = run.pageResults.filter((result) => result.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  const reason = run.metadata?.error;
  return `${phase}: ${run.status}, ${counts.join(', ') || 'no results'}${reason ? ` (${reason})` : ''}`;
}

/** The errors that occurred when capturing or comparing individual pages. */
export function listErrors(run: TestRun): string[] {
  return run.pageResults.flatMap(({ path, url, viewport, status, error }) =>
    status === 'ERROR' ? [`${path ?? url} at ${viewport}: ${error ?? 'ERROR without a message'}`] : [],
  );
}

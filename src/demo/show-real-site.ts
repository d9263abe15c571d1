import type { PageResult, TestRun } from './api-shapes.ts';
import { discover, listErrors, follow, summary } from './stage.ts';
import type { Shown, Stage } from './stage.ts';
import { diffCell, formatTable, inOrder, diffImageCell, statusCell } from './table.ts';

/** Enough to see something, without much load on someone else's server. */
const MAX_PAGES = 20;

function formatRunTable(runs: [TestRun, TestRun], viewports: string[], service: string, colored: boolean): string {
  const [baseline, second] = runs;
  const isSame = (a: PageResult) => (b: PageResult) => a.url === b.url && a.viewport === b.viewport;
  const rows = inOrder(second.pageResults, viewports).map((result) => {
    const first = baseline.pageResults.find(isSame(result));
    return [
      result.path ?? result.url,
      result.viewport,
      first === undefined ? '' : statusCell(first),
      statusCell(result),
      diffCell(result),
      diffImageCell(result, service),
    ];
  });
  return formatTable(['page', 'viewport', 'baseline run', 'second run', 'diff %', 'diff image'], rows, colored);
}

async function readWarnings({ client }: Stage, run: TestRun): Promise<string[]> {
  const { logs } = await client.logs(run.id);
  return logs.filter((log) => log.type === 'WARNING').map((log) => `Warning: ${log.message}`);
}

/**
 * Captures baselines and makes a second run of a site that nobody changed in between. So the differences are what the
 * site itself varies.
 */
export async function showRealSite(stage: Stage, service: string, address: string): Promise<Shown> {
  const { client, screen } = stage;
  const suite = await client.createSuite({
    name: new URL(address).host,
    baseUrl: address,
    config: { recrawlInterval: 'off', maxPages: MAX_PAGES },
  });
  const viewports = suite.config.viewports.map((viewport) => viewport.name);
  const pages = await discover(stage, suite.id);
  if (pages.length === 0) throw new Error(`The crawl found no page on ${address}`);
  screen.say(`Crawl: COMPLETED, ${pages.length} pages found and tracked (at most ${MAX_PAGES})`);
  await client.track(
    suite.id,
    pages.map((page) => page.id),
  );
  const baseline = await follow(stage, suite.id, 'Baseline run', { runType: 'MANUAL' });
  screen.say(summary('Baseline run', baseline));
  const second = await follow(stage, suite.id, 'Second run', { runType: 'MANUAL' });
  screen.say(summary('Second run', second));

  const problems = [baseline, second].flatMap((run, i) =>
    run.status === 'COMPLETED' ? [] : [`${i === 0 ? 'Baseline' : 'Second'} run: ${run.status}, not COMPLETED`],
  );
  const table = formatRunTable([baseline, second], viewports, service, screen.colored);
  const notes = [...new Set([...listErrors(baseline), ...listErrors(second), ...(await readWarnings(stage, second))])];
  return { lines: [table, ...notes], problems, asPlanned: 'Both runs completed.', runId: second.id };
}

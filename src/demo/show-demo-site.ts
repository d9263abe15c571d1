import type { TestRun } from './api-shapes.ts';
import { departures } from './plan.ts';
import { HIDE_CLOCK, SITE_CHANGES } from './site-changes.ts';
import { buildPages } from './demo-pages.ts';
import { discover, follow, summary } from './stage.ts';
import type { Shown, Stage } from './stage.ts';
import { diffCell, formatTable, inOrder, diffImageCell, statusCell } from './table.ts';

const changes: Record<string, string> = SITE_CHANGES;
const newPaths = Object.keys(changes).filter((path) => changes[path] === 'new');

function plannedCell(path: string | null): string {
  const change = path === null ? undefined : changes[path];
  if (change === undefined) return 'the same';
  return change === 'new' ? 'a new page' : `${change} change`;
}

function formatRunTable(run: TestRun, viewports: string[], service: string, colored: boolean): string {
  const rows = inOrder(run.pageResults, viewports).map((result) => [
    result.path ?? result.url,
    result.viewport,
    plannedCell(result.path),
    statusCell(result),
    diffCell(result),
    diffImageCell(result, service),
  ]);
  return formatTable(['page', 'viewport', 'planned', 'status', 'diff %', 'diff image'], rows, colored);
}

/** Checks that the URLs of the diff images work before they are printed. */
async function imageProblems({ client }: Stage, run: TestRun, service: string): Promise<string[]> {
  const addresses = run.pageResults.map((result) => diffImageCell(result, service)).filter((address) => address !== '');
  const problems = await Promise.all(addresses.map((address) => client.imageProblem(address)));
  return problems.flatMap((problem) => (problem === null ? [] : [`Diff image: ${problem}`]));
}

/**
 * Captures baselines of "before", then makes a BRANCH run against "after". A BRANCH run captures only the tracked
 * pages. So the page that only "after" has is added manually between the two runs. It has no baseline, and passes as
 * new.
 */
export async function showDemoSite(
  stage: Stage,
  service: string,
  sites: { before: string; after: string },
): Promise<Shown> {
  const { client, screen } = stage;
  screen.say(`Site before the change: ${sites.before}\nSite after the change:  ${sites.after}\n`);
  const suite = await client.createSuite({
    name: 'Marrowdale Night Railway',
    baseUrl: sites.before,
    config: { recrawlInterval: 'off', customCss: HIDE_CLOCK },
  });
  const viewports = suite.config.viewports.map((viewport) => viewport.name);
  const pages = await discover(stage, suite.id);
  screen.say(`Crawl: COMPLETED, ${pages.length} pages found and tracked`);
  await client.track(
    suite.id,
    pages.map((page) => page.id),
  );
  const baseline = await follow(stage, suite.id, 'Baseline run', { runType: 'MANUAL' });
  screen.say(summary('Baseline run', baseline));
  const seeded = await client.baselines(suite.id);
  for (const path of newPaths) await client.addPage(suite.id, path);
  const branch = await follow(stage, suite.id, 'Branch run', { targetBaseUrl: sites.after, branch: 'after' });
  screen.say(summary('Branch run', branch));
  const seededAfterBranch = await client.baselines(suite.id);

  const plan = { paths: buildPages('before').map((page) => page.path), changes, viewports };
  const crawled = pages.map((page) => page.path);
  const problems = [
    ...departures(plan, { crawled, baseline, seeded, seededAfterBranch, branch }),
    ...(await imageProblems(stage, branch, service)),
  ];
  return {
    lines: [formatRunTable(branch, viewports, service, screen.colored)],
    problems,
    asPlanned: 'Everything went as planned: the changed pages fail, the new page is new, and the other pages pass.',
    runId: branch.id,
  };
}

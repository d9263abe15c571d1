import { CHANGES, HIDE_CLOCK, NEW_PAGE, PAGES } from './site.js';

/** Enough to see something, without much load on someone else's server. */
const MAX_PAGES = 20;

/** @typedef {import('./client.js').Client} Client */
/** @typedef {{ path: string | null, url: string, viewport: string, status: string, isNew: boolean, diffScore: number | null, diffFile: string | null, error: string | null }} Result */
/** @typedef {{ id: string, status: string, reviewState: string, pageResults: Result[] }} Run */
/** @typedef {{ lines: string[], problems: string[], runId: string }} Shown `problems`: what was not as planned */
/** @typedef {(text: string) => void} Say */

/** What is planned for a page. @param {string | null} path */
function plan(path) {
  if (path === NEW_PAGE) return 'a new page';
  return Object.entries(CHANGES).find(([changed]) => changed === path)?.[1].planned ?? 'the same';
}

/** @param {Client} client @param {string} suiteId @returns {Promise<{ id: string, path: string }[]>} */
async function crawl(client, suiteId) {
  await client.call('POST', `/test-suites/${suiteId}/crawl`);
  const address = `/test-suites/${suiteId}/pages`;
  const isOver = (/** @type {any} */ answer) => ['COMPLETED', 'FAILED'].includes(answer.crawl.status);
  const answer = await client.follow(address, isOver, ({ pages }) => `${pages.length} pages found`);
  if (answer.crawl.status === 'FAILED') throw new Error(`The crawl failed: ${answer.crawl.error}`);
  if (answer.pages.length === 0) throw new Error('The crawl found no page');
  const pageIds = answer.pages.map((/** @type {{ id: string }} */ { id }) => id);
  await client.call('PATCH', address, { action: 'track', pageIds });
  return answer.pages;
}

/** Runs the suite and says what came out. @param {Client} client @param {Say} say @param {string} suiteId
 * @param {string} name @param {object} input @returns {Promise<Run>} */
async function run(client, say, suiteId, name, input) {
  const { testRunId } = await client.call('POST', `/test-suites/${suiteId}/run`, input);
  const done = (/** @type {Run} */ { pageResults }) => pageResults.filter(({ status }) => status !== 'PENDING').length;
  const result = await client.follow(
    `/test-runs/${testRunId}`,
    ({ status }) => !['PENDING', 'RUNNING'].includes(status),
    (answer) => `${done(answer)} of ${answer.pageResults.length} screenshots`,
  );
  const counts = ['PASS', 'FAIL', 'ERROR'].map(
    (status) => `${result.pageResults.filter((/** @type {Result} */ each) => each.status === status).length} ${status}`,
  );
  say(`${name}: ${result.status}, ${counts.join(', ')}${result.metadata?.error ? ` (${result.metadata.error})` : ''}`);
  return result;
}

/** Each column is as wide as its widest cell. @param {string[][]} rows */
export function formatTable(rows) {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const [head, ...rest] = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width, i) => '-'.repeat(i === widths.length - 1 ? (rows[0]?.[i]?.length ?? 0) : width));
  return [head, rule.join('  '), ...rest].join('\n');
}

/** @param {Result} result @param {string} service */
const cells = ({ status, isNew, diffScore, diffFile }, service) => [
  isNew ? `${status} (new)` : status,
  diffScore?.toFixed(4) ?? '',
  diffFile === null ? '' : new URL(diffFile, service).href,
];

/** By path, then by viewport. @param {Result[]} results */
const inOrder = (results) =>
  [...results].sort((a, b) => a.url.localeCompare(b.url) || a.viewport.localeCompare(b.viewport));

/** What differs between two lists of lines. @param {string} what @param {string[]} planned @param {string[]} found */
export function departures(what, planned, found) {
  return [
    ...planned.filter((line) => !found.includes(line)).map((line) => `${what}: ${line} is missing`),
    ...found.filter((line) => !planned.includes(line)).map((line) => `${what}: ${line} was not planned`),
    ...found.filter((line, i) => found.indexOf(line) !== i).map((line) => `${what}: ${line} appears twice`),
  ];
}

/** @param {Run} found */
const outcomes = ({ status, reviewState, pageResults }) => [
  `${status}, review ${reviewState}`,
  ...pageResults.map((each) => {
    const isCompared = each.status !== 'FAIL' || ((each.diffScore ?? 0) > 0 && each.diffFile !== null);
    return `${each.path} at ${each.viewport} ${each.status}${each.isNew ? ' (new)' : ''}${isCompared ? '' : ' without a diff image'}`;
  }),
];

/** @param {string} path */
function plannedOutcome(path) {
  if (path === NEW_PAGE) return 'PASS (new)';
  return plan(path) === 'the same' ? 'PASS' : 'FAIL';
}

/**
 * Captures baselines of "before", then makes a BRANCH run against "after". A BRANCH run captures only the tracked pages,
 * so the page that only "after" has is added between the two runs.
 * @param {Client} client @param {Say} say @param {string} service @param {{ before: string, after: string }} sites
 * @returns {Promise<Shown>}
 */
export async function showSampleSite(client, say, service, sites) {
  const config = { recrawlInterval: 'off', customCss: HIDE_CLOCK };
  const suite = await client.call('POST', '/test-suites', {
    name: 'Marrowdale Night Railway',
    baseUrl: sites.before,
    config,
  });
  /** @type {string[]} */
  const viewports = suite.config.viewports.map((/** @type {{ name: string }} */ { name }) => name);
  const each = (/** @type {string[]} */ paths, /** @type {(path: string) => string} */ outcome) =>
    paths.flatMap((path) => viewports.map((viewport) => `${path} at ${viewport} ${outcome(path)}`));
  const pages = await crawl(client, suite.id);
  say(`Crawl: ${pages.length} pages found and tracked`);
  const baseline = await run(client, say, suite.id, 'Baseline run', { runType: 'MANUAL' });
  await client.call('POST', `/test-suites/${suite.id}/pages`, { path: NEW_PAGE });
  const branch = await run(client, say, suite.id, 'Branch run', { targetBaseUrl: sites.after, branch: 'after' });
  /** @type {{ path: string, viewport: string, currentVersion: number }[]} */
  const baselines = await client.call('GET', `/baselines?testSuiteId=${suite.id}`);

  const versions = baselines.map((each) => `${each.path} at ${each.viewport} version ${each.currentVersion}`);
  const results = inOrder(branch.pageResults);
  const images = results.flatMap(({ diffFile }) => (diffFile === null ? [] : [new URL(diffFile, service).href]));
  const imageProblems = await Promise.all(images.map((address) => client.imageProblem(address)));
  const rows = results.map((each) => [each.path ?? each.url, each.viewport, plan(each.path), ...cells(each, service)]);
  return {
    lines: [formatTable([['page', 'viewport', 'planned', 'status', 'diff %', 'diff image'], ...rows])],
    problems: [
      ...departures(
        'Crawl',
        PAGES,
        pages.map(({ path }) => path),
      ),
      ...departures(
        'Baseline run',
        ['COMPLETED, review NOT_REQUIRED', ...each(PAGES, () => 'PASS (new)')],
        outcomes(baseline),
      ),
      ...departures(
        'Branch run',
        ['COMPLETED, review PENDING', ...each([...PAGES, NEW_PAGE], plannedOutcome)],
        outcomes(branch),
      ),
      ...departures(
        'Baselines',
        each(PAGES, () => 'version 1'),
        versions,
      ),
      ...imageProblems.flatMap((problem) => problem ?? []),
    ],
    runId: branch.id,
  };
}

/**
 * Captures baselines and makes a second run of a site that nobody changed in between: the differences are what the site
 * itself varies.
 * @param {Client} client @param {Say} say @param {string} service @param {string} address @returns {Promise<Shown>}
 */
export async function showRealSite(client, say, service, address) {
  const config = { recrawlInterval: 'off', maxPages: MAX_PAGES };
  const suite = await client.call('POST', '/test-suites', { name: new URL(address).host, baseUrl: address, config });
  const pages = await crawl(client, suite.id);
  say(`Crawl: ${pages.length} pages found and tracked (at most ${MAX_PAGES})`);
  const baseline = await run(client, say, suite.id, 'Baseline run', { runType: 'MANUAL' });
  const second = await run(client, say, suite.id, 'Second run', { runType: 'MANUAL' });
  const { logs } = await client.call('GET', `/test-runs/${second.id}/logs`);
  const rows = inOrder(second.pageResults).map((each) => [
    each.path ?? each.url,
    each.viewport,
    ...cells(each, service),
  ]);
  const errors = [baseline, second].flatMap(({ pageResults }) =>
    pageResults.flatMap(({ url, viewport, error }) => (error === null ? [] : [`${url} at ${viewport}: ${error}`])),
  );
  const warnings = logs.flatMap((/** @type {{ type: string, message: string }} */ { type, message }) =>
    type === 'WARNING' ? [`Warning: ${message}`] : [],
  );
  return {
    lines: [
      formatTable([['page', 'viewport', 'status', 'diff %', 'diff image'], ...rows]),
      ...new Set([...errors, ...warnings]),
    ],
    problems: [baseline, second].flatMap(({ id, status }) =>
      status === 'COMPLETED' ? [] : [`Run ${id} is ${status}, not COMPLETED`],
    ),
    runId: second.id,
  };
}

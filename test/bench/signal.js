import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { openBrowser } from '../../dist/capture/open-browser.js';
import { compareImages } from '../../dist/compare/compare-images.js';
import { decodeElementMap } from '../../dist/elements/encode-element-map.js';
import { findChanges } from '../../dist/elements/find-changes.js';
import { createLogger } from '../../dist/logger.js';
import { startCorpusServer } from '../corpus/corpus-server.js';
import { CORPUS } from '../corpus/corpus.js';
import { CORPUS_VIEWPORTS, measureSignal } from '../corpus/measure-signal.js';
import { captureRequest } from './capture-request.js';

/*
 * `npm run bench:signal [-- part of a name]`: false alarms, missed changes, groups per change and screenshots per result
 * over the corpus, on an idle machine and on a loaded one. RUNS says how often each page is captured again. Needs a build and a browser.
 */

const RUNS = Number(process.env.RUNS ?? 5);
const CONCURRENCY = 12;
const BUSY = 'for (;;) Math.sqrt(Math.random());';

const [wanted = ''] = process.argv.slice(2);
const pages = CORPUS.filter(({ name }) => name.includes(wanted));

const readMap = async ({ elements }) => (elements === null ? null : decodeElementMap(elements));

/** The keys of the changes between two captures. Results with the same key are one group. */
async function listChanges(before, after) {
  const { regions } = await compareImages(before.png, after.png, { threshold: 0 });
  const maps = { baseline: await readMap(before), current: await readMap(after) };
  return findChanges(maps, regions).map(({ key }) => key);
}

/** Each page has one change, at all viewports. */
function countGroups(signals) {
  const groups = new Map();
  for (const { page, changes } of signals) {
    if (changes.length > 0) groups.set(page, new Set([...(groups.get(page) ?? []), ...changes]));
  }
  return [...groups.values()].reduce((all, { size }) => all + size, 0) / groups.size;
}

function print(title, signals) {
  const sum = (count) => signals.reduce((all, signal) => all + count(signal), 0);
  const unchanged = sum(({ captures }) => Math.max(0, captures - 2));
  console.log(`\n${title}: ${pages.length} pages, ${signals.length} pages and viewports\n`);
  console.log(`  false alarms            ${sum(({ falseAlarms }) => falseAlarms)} of ${unchanged}`);
  console.log(`  changes missed          ${sum(({ missed }) => Number(missed))} of ${signals.length}`);
  console.log(`  pages not captured      ${sum(({ errors }) => errors.length)}`);
  console.log(`  unstable captures       ${sum(({ unstable }) => unstable)}`);
  console.log(`  groups per change       ${countGroups(signals).toFixed(2)}`);
  const each = sum(({ screenshots }) => screenshots) / sum(({ captures }) => captures);
  console.log(`  screenshots per result  ${each.toFixed(2)}`);
  for (const { page, viewport, falseAlarms, missed, unstable, warnings, errors } of signals) {
    if (falseAlarms === 0 && !missed && unstable === 0 && errors.length === 0) continue;
    const told = [`${falseAlarms} false alarms`, ...(missed ? ['MISSED'] : []), ...warnings, ...errors].join(', ');
    console.log(`    ${page} (${viewport}): ${told}`);
  }
}

const server = await startCorpusServer(pages);
const browser = openBrowser({
  chromiumPath: process.env.CHROMIUM_PATH || null,
  browserWsEndpoint: null,
  proxyUrl: async () => null,
  log: createLogger('warn'),
});
const options = {
  runs: RUNS,
  viewports: CORPUS_VIEWPORTS,
  concurrency: CONCURRENCY,
  request: captureRequest,
  listChanges,
};
const busy = [];
try {
  print('Idle', await measureSignal(browser, server, pages, options));
  for (let core = 0; core < availableParallelism(); core += 1) busy.push(new Worker(BUSY, { eval: true }));
  print('Loaded', await measureSignal(browser, server, pages, options));
} finally {
  for (const worker of busy) await worker.terminate();
  await browser.close();
  await server.close();
}

import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { openBrowser } from '../../dist/capture/browser/open-browser.js';
import { compareImages } from '../../dist/compare/compare-images.js';
import { decodeElementMap } from '../../dist/elements/encode-element-map.js';
import { findChanges } from '../../dist/elements/find-changes.js';
import { createLogger } from '../../dist/logger.js';
import { startCorpusServer } from '../corpus/corpus-server.js';
import { CORPUS } from '../corpus/corpus.js';
import { measureGroups } from '../corpus/measure-groups.js';
import { CORPUS_VIEWPORTS, measureSignal } from '../corpus/measure-signal.js';
import { captureRequest } from './capture-request.js';

/*
 * `npm run bench:signal [-- part of a name]`: false alarms, missed changes, groups per change and screenshots per result
 * over the corpus, on an idle machine and on a loaded one (LOAD=idle or LOAD=loaded for one of the two). RUNS says how
 * often each page is captured again. The images of a false alarm are kept in the folder KEEP. Then scenes of groups: a
 * change that pages have in common, and a fault on one of them that must be a change of its own. Needs a build and a browser.
 */

const RUNS = Number(process.env.RUNS ?? 5);
const CONCURRENCY = 12;
const { LOAD, KEEP } = process.env;
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

const isQuiet = ({ falseAlarms, missed, unstable, untold, errors }) =>
  falseAlarms === 0 && !missed && unstable === 0 && untold === 0 && errors.length === 0;

function tell({ page, viewport, falseAlarms, missed, untold, warnings, errors }) {
  const silent = untold > 0 ? [`${untold} of two layouts untold`] : [];
  const told = [`${falseAlarms} false alarms`, ...(missed ? ['MISSED'] : []), ...silent, ...warnings, ...errors].join(
    ', ',
  );
  return `${page} (${viewport}): ${told}`;
}

/** Progress goes to standard error: a line for each page that is not quiet, and one for each hundred. */
function tellProgress() {
  let measured = 0;
  return async (signal) => {
    measured += 1;
    if (!isQuiet(signal)) console.error(tell(signal));
    if (measured % 100 === 0) console.error(`${measured} pages and viewports measured`);
  };
}

let kept = 0;

async function keepImages({ page, viewport }, before, after) {
  if (KEEP === undefined) return;
  kept += 1;
  const name = `${kept}-${page.replaceAll(/[^a-z0-9]+/giu, '-')}-${viewport}`;
  await mkdir(KEEP, { recursive: true });
  await writeFile(join(KEEP, `${name}-1.png`), before.png);
  await writeFile(join(KEEP, `${name}-2.png`), after.png);
}

function print(title, signals) {
  const sum = (count) => signals.reduce((all, signal) => all + count(signal), 0);
  const unchanged = sum(({ captures }) => Math.max(0, captures - 2));
  console.log(`\n${title}: ${pages.length} pages, ${signals.length} pages and viewports\n`);
  console.log(`  false alarms            ${sum(({ falseAlarms }) => falseAlarms)} of ${unchanged}`);
  console.log(`  changes missed          ${sum(({ missed }) => Number(missed))} of ${signals.length}`);
  console.log(`  pages not captured      ${sum(({ errors }) => errors.length)}`);
  console.log(`  unstable captures       ${sum(({ unstable }) => unstable)}`);
  console.log(`  two layouts untold      ${sum(({ untold }) => untold)}`);
  console.log(`  groups per change       ${countGroups(signals).toFixed(2)}`);
  const each = sum(({ screenshots }) => screenshots) / sum(({ captures }) => captures);
  console.log(`  screenshots per result  ${each.toFixed(2)}`);
  for (const signal of signals) if (!isQuiet(signal)) console.log(`    ${tell(signal)}`);
}

function printGroups({ commons, faults }) {
  const hidden = faults.filter(({ own }) => own.some((keys) => keys.length === 0));
  const groups = commons.map(({ changes }) => new Set(changes.flat()).size);
  console.log(`\nGroups: ${faults.length} scenes\n`);
  console.log(`  faults hidden           ${hidden.length} of ${faults.length}`);
  console.log(`  groups per change       ${(groups.reduce((all, size) => all + size, 0) / groups.length).toFixed(2)}`);
  for (const { common, name } of hidden) console.log(`    HIDDEN: ${name}, beside ${common}`);
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
  onFalseAlarm: keepImages,
};
const busy = [];
try {
  const measure = async () => measureSignal(browser, server, pages, { ...options, onMeasured: tellProgress() });
  if (LOAD !== 'loaded') print('Idle', await measure());
  if (LOAD !== 'idle') {
    for (let core = 0; core < availableParallelism(); core += 1) busy.push(new Worker(BUSY, { eval: true }));
    print('Loaded', await measure());
  }
  const capture = async (url, size) => {
    const { viewport } = captureRequest(url);
    return browser.capture(captureRequest(url, { viewport: { ...viewport, ...size } }), async () => false);
  };
  if (wanted === '') printGroups(await measureGroups({ capture, listChanges, viewports: CORPUS_VIEWPORTS }));
} finally {
  for (const worker of busy) await worker.terminate();
  await browser.close();
  await server.close();
}

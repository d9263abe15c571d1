import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, relative } from 'node:path';
import { contentType } from 'mime-types';
import { openBrowser } from '../../dist/capture/browser/open-browser.js';
import { createLogger } from '../../dist/logger.js';
import { measureSignal } from '../corpus/measure-signal.js';
import { captureRequest } from './capture-request.js';

/*
 * `npm run bench:documentation -- FOLDER`: false alarms and missed changes over the HTML pages of a folder, such as the
 * documentation of PostgreSQL. PAGES of them, spread evenly, are captured RUNS times more at two viewports, and once with
 * a changed word. Needs a build and a browser.
 */

const PAGES = Number(process.env.PAGES ?? 500);
const RUNS = Number(process.env.RUNS ?? 10);
const CONCURRENCY = 12;
const VIEWPORTS = [
  { width: 1280, height: 800 },
  { width: 375, height: 812 },
];
const BETWEEN_TELLING = 100;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Which folder? npm run bench:documentation -- FOLDER');

async function listPages() {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const all = entries
    .filter((entry) => entry.isFile() && extname(entry.name) === '.html')
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
  const step = Math.max(1, all.length / PAGES);
  return Array.from({ length: Math.min(PAGES, all.length) }, (_, index) => ({ name: all[Math.floor(index * step)] }));
}

/** A short word is in view at the top of the page. */
const changeWord = (html) => html.replace(/<body[^>]*>/i, '$&<p>Changed</p>');

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://documentation');
  const type = contentType(extname(pathname)) || 'application/octet-stream';
  try {
    const file = await readFile(join(folder, decodeURIComponent(pathname)));
    response.writeHead(200, { 'content-type': type });
    response.end(searchParams.has('changed') ? Buffer.from(changeWord(file.toString('latin1')), 'latin1') : file);
  } catch {
    response.writeHead(404).end();
  }
}

const pages = await listPages();
const server = createServer((request, response) => void answer(request, response));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const site = {
  address: ({ name }, changed) => new URL(changed ? `${name}?changed` : name, `${origin}/`).href,
};
const browser = openBrowser({
  chromiumPath: process.env.CHROMIUM_PATH || null,
  browserWsEndpoint: null,
  proxyUrl: async () => null,
  log: createLogger('warn'),
});
let measured = 0;
async function onMeasured({ page, viewport, falseAlarms, missed, unstable, errors }) {
  measured += 1;
  if (falseAlarms > 0 || missed || unstable > 0 || errors.length > 0) {
    console.error(page, viewport, { falseAlarms, missed, unstable, errors });
  }
  if (measured % BETWEEN_TELLING === 0) console.error(`${measured} pages and viewports measured`);
}

try {
  const signals = await measureSignal(browser, site, pages, {
    runs: RUNS,
    viewports: VIEWPORTS,
    concurrency: CONCURRENCY,
    request: captureRequest,
    onMeasured,
  });
  const sum = (count) => signals.reduce((all, signal) => all + count(signal), 0);
  console.log(`${pages.length} pages, ${signals.length} pages and viewports`);
  console.log(`  false alarms        ${sum((each) => each.falseAlarms)} of ${signals.length * RUNS}`);
  console.log(`  changes missed      ${sum((each) => Number(each.missed))} of ${signals.length}`);
  console.log(`  pages not captured  ${sum((each) => each.errors.length)}`);
  console.log(`  unstable captures   ${sum((each) => each.unstable)}`);
  console.log(`  with a warning      ${sum((each) => Number(each.warnings.length > 0))}`);
} finally {
  await browser.close();
  server.close();
}

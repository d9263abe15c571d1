import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { contentType } from 'mime-types';

/*
 * `npm run bench:proofs [-- FOLDER]`: how long a run of a preview takes that changes 1 % of a site's pages, where the others are
 * proven unchanged: against the service as it is built. The site is PAGES of the HTML pages in a folder, such as the documentation of
 * PostgreSQL, at two viewports. Making their baselines takes most of the time. Needs a build and a browser.
 */

const PAGES = Number(process.env.PAGES ?? 200);
const RUNS = Number(process.env.RUNS ?? 3);
const CHANGED = Number(process.env.CHANGED ?? 0.01);
const LOOK_MS = 50;
const [folder = '/usr/share/doc/postgresql-doc-15/html'] = process.argv.slice(2);

async function listPages() {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && extname(entry.name) === '.html')
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
  return names.slice(0, PAGES);
}

const changeWord = (file) => Buffer.from(file.toString('latin1').replace(/<body[^>]*>/i, '$&<p>Changed</p>'), 'latin1');

/** Serves the folder, in which some pages begin with another word, and tells when it was asked. */
async function serve(changed) {
  const times = [];
  async function answer(request, response) {
    times.push(performance.now());
    const { pathname } = new URL(request.url, 'http://site');
    try {
      const name = decodeURIComponent(pathname).slice(1);
      const file = await readFile(join(folder, name));
      response.writeHead(200, { 'content-type': contentType(extname(pathname)) || 'application/octet-stream' });
      response.end(changed.has(name) ? changeWord(file) : file);
    } catch {
      response.writeHead(404).end();
    }
  }
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, times, close: () => server.close() };
}

async function startService(dataDir) {
  const entry = new URL('../../dist/main.js', import.meta.url).pathname;
  const env = { NODE_ENV: 'development', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', DATA_DIR: dataDir };
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, ALLOW_PRIVATE_TARGETS: 'true', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The service ended at its start')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"pixelgate is running"')) resolve(JSON.parse(line).url);
    });
  });
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { url, stop };
}

async function signUp(url) {
  let token = null;
  const call = async (method, path, body) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const person = { email: 'bench@example.com', password: 'correct horse battery', name: 'Bench' };
  ({ token } = await call('POST', '/auth/register', person));
  return call;
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

async function finish(call, suiteId, start) {
  const began = performance.now();
  const { testRunId } = await call('POST', `/test-suites/${suiteId}/run`, start);
  for (;;) {
    await sleep(LOOK_MS);
    const [run] = (await call('GET', `/test-runs?testSuiteId=${suiteId}&limit=1`)).testRuns;
    if (!['PENDING', 'RUNNING'].includes(run.status)) return { testRunId, took: performance.now() - began };
  }
}

const pages = await listPages();
const changed = new Set(pages.filter((_, at) => at % Math.round(1 / CHANGED) === 0));
const [site, preview] = [await serve(new Set()), await serve(changed)];
const dataDir = await mkdtemp(join(tmpdir(), 'pixelgate-bench-proofs-'));
const service = await startService(dataDir);
try {
  const call = await signUp(service.url);
  const config = { recrawlInterval: 'off', reuseUnchanged: 'on' };
  const suite = await call('POST', '/test-suites', { name: 'Documentation', baseUrl: site.url, config });
  for (const name of pages) await call('POST', `/test-suites/${suite.id}/pages`, { path: `/${name}` });
  const baselines = await finish(call, suite.id, {});
  console.log(`${pages.length} pages at two viewports, ${changed.size} changed`);
  console.log(`  baselines  ${seconds(baselines.took)}`);
  for (let nth = 1; nth <= RUNS; nth += 1) {
    preview.times.length = 0;
    const { testRunId, took } = await finish(call, suite.id, { targetBaseUrl: preview.url });
    const { pageResults } = await call('GET', `/test-runs/${testRunId}`);
    const count = (isCounted) => pageResults.filter(isCounted).length;
    const proven = count(({ proof }) => proof !== null);
    console.log(
      `  preview ${nth}  ${seconds(took)}: ${proven} of ${pageResults.length} proven, ${count(({ status }) => status === 'FAIL')} changed`,
    );
  }
} finally {
  await service.stop();
  site.close();
  preview.close();
  await rm(dataDir, { recursive: true, force: true });
}

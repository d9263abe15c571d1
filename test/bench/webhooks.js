import { fork } from 'node:child_process';
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { connect } from '../../dist/db/connect.js';
import { startEmbeddedPostgres } from '../../dist/db/embedded-postgres.js';
import { createLogger } from '../../dist/logger.js';
import { startGeneratedSite } from './generated-site.js';

/*
 * `npm run bench:webhooks [-- idle busy capture]`: a burst of signed deliveries against the built service, and how long
 * each waits for its answer. `busy` keeps every core busy meanwhile, `capture` has the service capture pages. RATE, SECONDS
 * and PULLS say how many deliveries a second, for how long, and of how many pull requests.
 */
const RATE = Number(process.env.RATE ?? 100);
const SECONDS = Number(process.env.SECONDS ?? 20);
const PULLS = Number(process.env.PULLS ?? 400);
const DRAIN_SECONDS = 60;

const SECRET = 'the secret of the bench';
const BUSY = 'for (;;) Math.sqrt(Math.random());';
const log = createLogger('error');

const definitions = createRequire(import.meta.url)('@octokit/webhooks-examples');
const exampleOf = (event, action) =>
  definitions.find(({ name }) => name === event).examples.find((each) => action === null || each.action === action);

const shaOf = (pull, push) => `${pull}a${push}`.padStart(40, '0');
const repository = { name: 'site', full_name: 'acme/site', default_branch: 'main' };

function payloadOf(event, action, change) {
  const payload = structuredClone(exampleOf(event, action));
  Object.assign(payload.repository, repository);
  payload.repository.owner.login = 'acme';
  payload.installation = { id: 1 };
  change(payload);
  return payload;
}

function pullRequest(action, pull, push, second) {
  return payloadOf('pull_request', action, (payload) => {
    payload.number = pull;
    Object.assign(payload.pull_request, { number: pull, state: 'open', draft: false });
    payload.pull_request.updated_at = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
    Object.assign(payload.pull_request.head, { sha: shaOf(pull, push), ref: `topic-${pull}` });
    Object.assign(payload.pull_request.base, { ref: 'main' });
    if (action === 'synchronize') Object.assign(payload, { before: shaOf(pull, push - 1), after: shaOf(pull, push) });
  });
}

function deployment(pull, push, state) {
  return payloadOf('deployment_status', null, (payload) => {
    const id = pull * 100 + push;
    Object.assign(payload.deployment, { id, sha: shaOf(pull, push), ref: `topic-${pull}`, environment: 'Preview' });
    const said = { id: id * 10 + (state === 'success' ? 1 : 0), state, environment: 'Preview', target_url: '' };
    Object.assign(payload.deployment_status, said, { environment_url: `http://127.0.0.1:9/${pull}` });
  });
}

/** What happens to a pull request: it is opened, deployed, pushed to, deployed, … */
function eventOf(step, pull) {
  const push = Math.floor((step + 2) / 3);
  if (step === 0) return ['pull_request', pullRequest('opened', pull, 0, 0)];
  if (step % 3 === 1) return ['pull_request', pullRequest('synchronize', pull, push, push)];
  return ['deployment_status', deployment(pull, push, step % 3 === 2 ? 'pending' : 'success')];
}

/** Answers what the App asks with the least that it takes. */
async function startGitHub() {
  let checks = 0;
  const server = createServer((asked, response) => {
    asked.resume();
    const answer = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (asked.url.endsWith('/access_tokens'))
      answer(201, {
        token: 'ghs_bench',
        expires_at: '2999-01-01T00:00:00Z',
        permissions: {},
        repository_selection: 'all',
      });
    else if (asked.url.includes('/check-runs') && asked.method !== 'GET') answer(201, { id: (checks += 1) });
    else answer(404, { message: 'Not Found' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: `127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

async function startService(env) {
  const child = fork(new URL('../../dist/main.js', import.meta.url).pathname, [], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"pixelgate is running"')) resolve(JSON.parse(line).url);
    });
  });
  const stop = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { url, stop };
}

function sign(event, payload) {
  const body = Buffer.from(JSON.stringify(payload));
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-github-event': event,
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  };
  return { headers, body };
}

const agent = new Agent({ keepAlive: true });

async function send(url, { headers, body }) {
  const startedAt = performance.now();
  const status = await new Promise((resolve) => {
    const sent = request(`${url}/api/github/webhooks`, { method: 'POST', headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sent.once('error', (error) => resolve(error.code));
    sent.end(body);
  });
  return { status, ms: performance.now() - startedAt };
}

/** Made before the burst, which is to cost this process little. */
function makeDeliveries() {
  return Array.from({ length: RATE * SECONDS }, (_, index) =>
    sign(...eventOf(Math.floor(index / PULLS), 1 + (index % PULLS))),
  );
}

/** Sends at an even pace, whether answers come or not, as GitHub does. */
async function burst(url, deliveries) {
  const startedAt = performance.now();
  const sent = [];
  for (const [index, delivery] of deliveries.entries()) {
    const due = startedAt + (index * 1000) / RATE;
    if (due > performance.now()) await sleep(due - performance.now());
    sent.push(send(url, delivery));
  }
  return Promise.all(sent);
}

async function countJobs(db) {
  const rows = await db('graphile_worker.jobs')
    .groupBy('task_identifier')
    .select('task_identifier as task')
    .count('* as jobs');
  const sum = rows.reduce((all, { jobs }) => all + jobs, 0);
  return `${sum}${sum === 0 ? '' : ` (${rows.map(({ task, jobs }) => `${task} ${jobs}`).join(', ')})`}`;
}

async function call(url, token, method, address, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api${address}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** A suite for pull requests, and one whose pages are captured in the meantime. */
async function seed(url, db, origin) {
  const person = { email: 'bench@example.com', password: 'correct horse battery', name: 'Bench' };
  const { token } = await call(url, '', 'POST', '/auth/register', person);
  const config = { recrawlInterval: 'off' };
  const linked = await call(url, token, 'POST', '/test-suites', { name: 'Linked', baseUrl: origin, config });
  await call(url, token, 'POST', `/test-suites/${linked.id}/pages`, { path: '/' });
  const link = { codehost_owner: 'acme', codehost_repo: 'site', codehost_installation_id: 1 };
  await db('test_suites').where({ id: linked.id }).update(link);
  const busy = await call(url, token, 'POST', '/test-suites', { name: 'Captured', baseUrl: origin, config });
  const pages = Array.from({ length: 200 }, (_, page) => `/page/${page + 1}`);
  await db('site_pages').insert(
    pages.map((each) => ({ test_suite_id: busy.id, owner_id: busy.userId, path: each, tracked: true })),
  );
  return async () => call(url, token, 'POST', `/test-suites/${busy.id}/run`, {});
}

const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

async function report(title, db, answers, delay) {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const statuses = new Map();
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  console.log(`\n${title}: ${answers.length} deliveries, ${RATE} a second, of ${PULLS} pull requests\n`);
  console.log(`  answers   ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`);
  const [p50, p99, most] = [percentile(times, 0.5), percentile(times, 0.99), times.at(-1)];
  console.log(`  waited    p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, most ${most.toFixed(0)} ms`);
  const own = `${(delay.percentile(99) / 1e6).toFixed(0)} ms`;
  console.log(
    `  machine   load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores; this process itself was late by ${own} at p99`,
  );
  console.log(`  jobs left at the end      ${await countJobs(db)}`);
  await sleep(DRAIN_SECONDS * 1000);
  console.log(`  jobs left a minute later  ${await countJobs(db)}`);
}

async function measure(load) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-bench-'));
  const site = await startGeneratedSite();
  const github = await startGitHub();
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const db = connect(postgres.url, { maxConnections: 2, log });
  const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const service = await startService({
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    APP_ID: '1',
    PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    WEBHOOK_SECRET: SECRET,
    GHE_HOST: github.host,
    GHE_PROTOCOL: 'http',
    ALLOW_PRIVATE_TARGETS: 'true',
  });
  const spinning = [];
  try {
    const startCapture = await seed(service.url, db, site.origin);
    if (load === 'capture') await startCapture();
    const busy = load === 'busy' ? availableParallelism() : 0;
    for (let core = 0; core < busy; core += 1) spinning.push(new Worker(BUSY, { eval: true }));
    const deliveries = makeDeliveries();
    const delay = monitorEventLoopDelay();
    delay.enable();
    const answers = await burst(service.url, deliveries);
    delay.disable();
    await report(load, db, answers, delay);
  } finally {
    for (const worker of spinning) await worker.terminate();
    await service.stop();
    await db.destroy();
    await postgres.stop();
    await site.stop();
    github.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const [, , ...loads] = process.argv;
for (const load of loads.length === 0 ? ['idle', 'busy', 'capture'] : loads) await measure(load);

import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '../../../dist/db/connect.js';
import { startEmbeddedPostgres } from '../../../dist/db/embedded-postgres.js';
import { createLogger } from '../../../dist/logger.js';
import { effectiveConfig } from '../../../dist/suites/config/suite-config.js';
import { openClients, readTogether, summarize } from './clients.js';
import { readCpu, readMemory, readPostgresPid } from './processes.js';
import { listRoutes } from './routes.js';
import { readTargets, seedLoad } from './seed-load.js';
import { startService } from './start-service.js';

/*
 * `npm run bench:load [-- part of a name]`: a database of 1,010,000 results, and how the service reads it: CPU of each
 * read, then 50 and 200 clients at once, for SECONDS each. LOAD_DIR keeps the database for another time. Linux only.
 */

const SECONDS = Number(process.env.SECONDS ?? 60);
const READS = Number(process.env.READS ?? 40);
const [wanted = ''] = process.argv.slice(2);

const ACCOUNT = { email: 'load@example.com', password: 'a password for the load' };
const log = createLogger('silent');

async function signIn(url) {
  const post = (where) =>
    fetch(`${url}/api/auth/${where}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ACCOUNT),
    });
  const registered = await post('register');
  const answer = await (registered.ok ? registered : await post('login')).json();
  return { token: answer.token, userId: answer.user.id };
}

async function seed(db, userId) {
  const found = await db('test_suites').first('id');
  if (found !== null) return;
  const startedAt = performance.now();
  await seedLoad(db, { userId, config: effectiveConfig({}) });
  console.log(`seeded in ${Math.round((performance.now() - startedAt) / 1000)} s`);
}

const cell = (value, digits = 0) => (value === undefined ? '' : value.toFixed(digits)).padStart(9);

function printHead(title, names) {
  console.log(`\n${title}\n\n  ${''.padEnd(30)}${names.map((name) => name.padStart(9)).join('')}`);
}

/** Each route by itself, a few at once: what a read costs. */
async function measureCost(service, routes) {
  printHead('CPU of a read', ['web ms', 'pg ms', 'p50 ms', 'p99 ms', 'KB', 'errors']);
  const clients = openClients(service, 2);
  for (const route of routes) {
    const count = route.heavy ? Math.ceil(READS / 8) : READS;
    for (let warm = 0; warm < Math.ceil(count / 4); warm += 1) await clients.read(route);
    const [web, postgres] = await Promise.all([readCpu(service.pid), readCpu(service.postgres)]);
    const reads = [];
    const take = async () => {
      while (reads.length < count) reads.push(await clients.read(route));
    };
    await Promise.all([take(), take()]);
    const [webAfter, postgresAfter] = await Promise.all([readCpu(service.pid), readCpu(service.postgres)]);
    const { p50, p99, kilobytes, errors } = summarize(reads);
    const cpu = [webAfter - web, postgresAfter - postgres].map((ms) => cell(ms / reads.length, 1));
    console.log(
      `  ${route.name.padEnd(30)}${cpu.join('')}${[p50, p99, kilobytes, errors].map((n) => cell(n)).join('')}`,
    );
  }
  await clients.close();
}

async function measureClients(service, routes, count) {
  const before = await readMemory(service.pid);
  const memory = [];
  const sampling = setInterval(() => {
    void readMemory(service.pid).then((now) => memory.push(now));
  }, 5_000);
  const cpu = await Promise.all([readCpu(service.pid), readCpu(service.postgres)]);
  const { byRoute, all, perSecond } = await readTogether(service, routes, { count, seconds: SECONDS });
  const used = await Promise.all([readCpu(service.pid), readCpu(service.postgres)]);
  clearInterval(sampling);
  printHead(`${count} clients for ${SECONDS} s`, ['reads', 'errors', 'p50 ms', 'p99 ms']);
  for (const [name, { reads, errors, p50, p99 }] of [...byRoute, ['all', all]]) {
    console.log(`  ${name.padEnd(30)}${[reads, errors, p50, p99].map((n) => cell(n)).join('')}`);
  }
  const [web, postgres] = used.map((ms, at) => (ms - cpu[at]) / all.reads);
  console.log(
    `  ${perSecond.toFixed(0)} reads a second; CPU of a read: web ${web.toFixed(1)} ms, PostgreSQL ${postgres.toFixed(1)} ms`,
  );
  console.log(`  memory, MB: ${[before, ...memory].map(Math.round).join(' ')}`);
}

const keep = process.env.LOAD_DIR;
const dataDir = keep ?? (await mkdtemp(path.join(tmpdir(), 'pixelgate-load-')));
await mkdir(dataDir, { recursive: true });
await chmod(dataDir, 0o711);
const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false });
const db = connect(postgres.url, { maxConnections: 1, log });
try {
  const service = await startService({ DATABASE_URL: postgres.url, DATA_DIR: dataDir });
  try {
    const { token, userId } = await signIn(service.url);
    await seed(db, userId);
    const routes = listRoutes(await readTargets(db))
      .filter(({ name }) => name.includes(wanted))
      .map((route) => ({ ...route, page: !route.path.startsWith('/api') }));
    const measured = { ...service, token, postgres: await readPostgresPid(dataDir) };
    await measureCost(measured, routes);
    const light = routes.filter(({ heavy }) => heavy !== true);
    for (const count of SECONDS === 0 ? [] : [50, 200]) await measureClients(measured, light, count);
  } finally {
    await service.stop();
  }
} finally {
  await db.destroy();
  await postgres.stop();
  if (keep === undefined) await rm(dataDir, { recursive: true });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { connect } from '../../../dist/db/connect.js';
import { startEmbeddedPostgres } from '../../../dist/db/embedded-postgres.js';
import { createLogger } from '../../../dist/logger.js';
import { readCpu, readPostgresPid } from '../load/processes.js';
import { startService } from '../load/start-service.js';
import { startPooler } from './pooler.js';

/*
 * `npm run bench:scale`: 1, 4 and 16 worker processes whose browsers are stand-ins, against one PostgreSQL, directly and
 * through PgBouncer in transaction mode (where it is installed): results a second, transactions and CPU of PostgreSQL a
 * result. Each suite has a run in flight all the time. Linux only.
 */

const SECONDS = Number(process.env.SECONDS ?? 30);
const SUITES = 64;
const PAGES = 40;
const WARM_MS = 3_000;
const WORKERS = [1, 4, 16];

const log = createLogger('silent');
const dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-scale-'));
await chmod(dataDir, 0o711);
const postgres = await startEmbeddedPostgres({ dataDir, log });
const db = connect(postgres.url, { maxConnections: 1, log });

const environment = (databaseUrl) => ({
  DATABASE_URL: databaseUrl,
  ...(databaseUrl === postgres.url ? {} : { DATABASE_DIRECT_URL: postgres.url }),
  DATA_DIR: dataDir,
  JWT_SECRET: 'a secret of thirty-two bytes, or more',
  ALLOW_PRIVATE_TARGETS: 'true',
});

async function startWorkers(databaseUrl, count) {
  const entry = new URL('./worker.js', import.meta.url).pathname;
  const workers = Array.from({ length: count }, () =>
    spawn(process.execPath, [entry], {
      env: { ...process.env, ...environment(databaseUrl), ROLE: 'worker' },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(workers.map(({ stdout }) => once(stdout, 'data')));
  return async () => {
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map(async (worker) => (worker.exitCode === null ? once(worker, 'exit') : null)));
  };
}

function clientOf(url, token) {
  return async (method, where, body) => {
    const response = await fetch(`${url}/api${where}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
}

/** Pages go straight into the database: adding them by the API is not what is measured. */
async function makeSuites(ask) {
  const ids = [];
  for (let suite = 0; suite < SUITES; suite += 1) {
    const { id } = await ask('POST', '/test-suites', {
      name: `Site ${suite}`,
      baseUrl: `http://127.0.0.1:9/${suite}/`,
      config: { recrawlInterval: 'off' },
    });
    ids.push(id);
    for (let page = 0; page < PAGES; page += 1)
      await ask('POST', `/test-suites/${id}/pages`, { path: `/${suite}/${page}` });
  }
  return ids;
}

async function startRuns(ask, suites) {
  for (const id of suites) await ask('POST', `/test-suites/${id}/run`, {});
}

async function read() {
  const { rows } = await db.raw(
    `select (select count(*) from page_results where status <> 'PENDING') as results,
      (select xact_commit from pg_stat_database where datname = current_database()) as transactions`,
  );
  const cpu = await readCpu(postgresPid);
  return { ...rows[0], cpu, at: performance.now() };
}

async function measure(databaseUrl, count) {
  const stop = await startWorkers(databaseUrl, count);
  try {
    await after(WARM_MS);
    const before = await read();
    await after(1_000 * SECONDS);
    const now = await read();
    const results = now.results - before.results;
    const seconds = (now.at - before.at) / 1_000;
    return {
      perSecond: results / seconds,
      transactions: (now.transactions - before.transactions) / results,
      cpu: (now.cpu - before.cpu) / results,
    };
  } finally {
    await stop();
  }
}

const postgresPid = await readPostgresPid(dataDir);
const pooler = await startPooler(postgres.url, path.join(dataDir, 'pooler'));
try {
  for (const [name, url] of [
    ['direct', postgres.url],
    ['PgBouncer, transaction mode', pooler?.url],
  ]) {
    if (url === undefined) {
      console.log('\nPgBouncer is not installed');
      continue;
    }
    const service = await startService({ ...environment(url), ROLE: 'web' });
    try {
      const account = { email: `${name.length}@example.com`, password: 'a password for the scale' };
      const { token } = await clientOf(service.url, null)('POST', '/auth/register', account);
      const ask = clientOf(service.url, token);
      const suites = await makeSuites(ask);
      await startRuns(ask, suites);
      console.log(`\n${name}\n  workers  results/s  of linear  transactions/result  PostgreSQL ms/result`);
      let one = null;
      for (const count of WORKERS) {
        const { perSecond, transactions, cpu } = await measure(url, count);
        one ??= perSecond;
        const cells = [
          count,
          perSecond.toFixed(1),
          `${((100 * perSecond) / one / count).toFixed(0)} %`,
          transactions.toFixed(1),
          cpu.toFixed(1),
        ];
        console.log(`  ${cells.map((cell, at) => String(cell).padStart([7, 9, 9, 19, 20][at])).join('  ')}`);
      }
    } finally {
      await service.stop();
    }
  }
} finally {
  await pooler?.stop();
  await db.destroy();
  await postgres.stop();
  await rm(dataDir, { recursive: true });
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { connect } from '../../src/db/connect.ts';
import { createLogger } from '../../src/logger.ts';
import { createS3Storage } from '../../src/storage/s3-storage.ts';
import { BUCKET, startS3Server } from '../storage/s3-server.ts';
import { expectNoFaultsIn } from '../support/expect-no-faults.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { startTcpGate, type TcpGate } from '../support/tcp-gate.ts';
import { hasSaid, mostAttempts, OUTAGE_MS, setUpLongRuns, until, type LongRuns } from './long-run.ts';
import { startOwnPostgres, type OwnPostgres } from './own-postgres.ts';

/*
 * A web and a worker process, with an S3 and a PostgreSQL that can be taken away. Each outage begins in the middle of a run.
 * The first worker's clock is two hours behind, that of the second two hours ahead.
 */

const LONG_MS = 3_600_000;
const HOURS_MS = 7_200_000;
const FROZEN_MS = Math.min(OUTAGE_MS, 60_000);

let postgres: OwnPostgres;
let db: Knex;
let s3: Awaited<ReturnType<typeof startS3Server>>;
let gate: TcpGate;
let dataDir: string;
let web: ServiceProcess;
let first: ServiceProcess;
let runs: LongRuns;
const services: ServiceProcess[] = [];

async function start(role: 'web' | 'worker', clockOffMs = 0): Promise<ServiceProcess> {
  const clock = new URL('clock-off.js', import.meta.url).href;
  const service = await startServiceProcess({
    ROLE: role,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: `http://127.0.0.1:${gate.port}`,
    S3_FORCE_PATH_STYLE: 'true',
    ...(clockOffMs === 0 ? {} : { NODE_OPTIONS: `--import=${clock}`, CLOCK_OFF_MS: String(clockOffMs) }),
  });
  services.push(service);
  return service;
}

beforeAll(async () => {
  [postgres, s3] = await Promise.all([startOwnPostgres(), startS3Server()]);
  gate = await startTcpGate({ hostname: '127.0.0.1', port: Number(new URL(s3.endpoint).port) });
  db = connect(postgres.url, { maxConnections: 2, log: createLogger('silent') });
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-outages-'));
  web = await start('web');
  first = await start('worker', -HOURS_MS);
  runs = await setUpLongRuns(web.url);
}, LONG_MS);

afterAll(async () => {
  await Promise.all(services.map((service) => service.end()));
  const { endpoint } = s3;
  const options = { bucket: BUCKET, endpoint, region: 'us-east-1', prefix: '', forcePathStyle: true };
  try {
    await expectNoFaultsIn(db, createS3Storage(options));
  } finally {
    await Promise.all([gate.stop(), runs.site.stop(), s3.stop()]);
    await db.destroy();
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  }
}, LONG_MS);

// A test that failed in the middle of its outage leaves none to the next.
afterEach(() => {
  gate.open();
  first.child.kill('SIGCONT');
});

it(
  'a storage that is away costs the time that it is away, and no attempt',
  async () => {
    const { runId, release } = await runs.start('One');
    const from = first.lines.length;
    gate.shut();
    release();
    await until(() => hasSaid(first, 'a part is away', from));
    const readiness = await fetch(`${web.url}/readyz`);
    expect([readiness.status, await readiness.text()]).toEqual([503, expect.stringContaining('storage')]);
    const before = await mostAttempts(db);
    await sleep(OUTAGE_MS);
    expect(await mostAttempts(db)).toBe(before);
    gate.open();
    await runs.expectUntouched(runId);
  },
  LONG_MS,
);

it(
  'a database that is killed and comes back costs no result',
  async () => {
    const { runId, release } = await runs.start('Two');
    const from = first.lines.length;
    await postgres.kill();
    release();
    await until(() => hasSaid(first, 'the worker lock was lost', from));
    expect((await fetch(`${web.url}/readyz`)).status).toBe(503);
    await sleep(FROZEN_MS);
    await postgres.startAgain();
    await until(async () => (await fetch(`${web.url}/readyz`)).ok);
    await runs.expectUntouched(runId);
  },
  LONG_MS,
);

it(
  'a worker that stands still has its work done by another, and does no harm when it goes on',
  async () => {
    const { runId, release } = await runs.start('Three');
    const from = first.lines.length;
    first.child.kill('SIGSTOP');
    await start('worker', HOURS_MS);
    release();
    const finished = await runs.expectUntouched(runId);
    await sleep(FROZEN_MS);
    first.child.kill('SIGCONT');
    await until(() => hasSaid(first, 'the worker lock was lost', from));
    const next = await runs.start('Four');
    next.release();
    await runs.expectUntouched(next.runId);
    const after = await runs.api.call('GET', `/test-runs/${runId}`);
    expect([after.status, after.metadata, after.endedAt]).toEqual([
      finished.status,
      finished.metadata,
      finished.endedAt,
    ]);
    const images = ({ pageResults }: any) => pageResults.map((result: any) => result.currentFile);
    expect(images(after)).toEqual(images(finished));
  },
  LONG_MS,
);

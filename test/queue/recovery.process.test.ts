import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '../../src/db/database.ts';
import { enqueue, enqueueAll } from '../../src/queue/enqueue.ts';
import { installQueue } from '../../src/queue/install-queue.ts';
import { queueMaintenance, type DeadJob } from '../../src/queue/maintain-queue.ts';
import { startSchedule, type Schedule } from '../../src/queue/schedule.ts';
import { createTestDatabase } from '../support/database.ts';
import { clearJobs, jobsIn, log, pretendDeaths, until } from './fixture.ts';

type Said = { began?: string; ended?: string; attempt: number };
type Host = { process: ChildProcess; said: Said[] };

let schedule: Schedule;
let hosts: Host[] = [];
let events: Said[] = [];
let dead: DeadJob[] = [];

const database = await createTestDatabase();
await installQueue(database.url, log);
beforeEach(async () => {
  [hosts, events, dead] = [[], [], []];
  await clearJobs(database.db);
  const giveUp = async (_db: Db, job: DeadJob) => void dead.push(job);
  schedule = startSchedule(queueMaintenance(database.db, giveUp, log), log);
});
afterEach(async () => {
  await schedule.stop();
  for (const host of hosts) host.process.kill('SIGKILL');
});
afterAll(async () => database.drop());

async function startHost(): Promise<Host> {
  const script = fileURLToPath(new URL('worker-process.js', import.meta.url));
  const child = fork(script, [database.url], { execArgv: [], env: { PATH: process.env['PATH'] } });
  const host: Host = { process: child, said: [] };
  hosts.push(host);
  const ready = new Promise<void>((resolve) => {
    // A job may kill it before its message is sent.
    child.once('exit', () => resolve());
    child.on('message', (message) => {
      if (message === 'ready') return resolve();
      host.said.push(message as Said);
      events.push(message as Said);
    });
  });
  await ready;
  return host;
}

async function kill(host: Host): Promise<void> {
  const gone = once(host.process, 'exit');
  host.process.kill('SIGKILL');
  await gone;
}

async function stop(host: Host): Promise<void> {
  const gone = once(host.process, 'exit');
  host.process.send('stop');
  await gone;
}

describe('a worker process', () => {
  // The time limit is a promise of the product: another worker takes over a run within 30 s.
  it('that is killed in the middle of a job has it finished by another', async () => {
    const first = await startHost();
    await enqueue(database.db, 'try-page', { trialId: '/hold' }, { queue: 'capture/s/0' });
    await until(() => first.said.length === 1);
    const second = await startHost();
    await kill(first);
    await until(() => second.said.length === 1);
    second.process.send('go');
    await until(async () => (await jobsIn(database.db)).length === 0);
    expect(second.said).toEqual([
      { began: '/hold', attempt: 1 },
      { ended: '/hold', attempt: 1 },
    ]);
    await stop(second);
  });

  it('that is killed by a job again and again has that job given up, and the others done', async () => {
    const respawn = (host: Host) => {
      const onExit = (signal: NodeJS.Signals | null) => {
        if (signal === 'SIGKILL') void startHost().then(respawn);
      };
      // It may have been killed before the test could listen.
      if (host.process.signalCode === null) host.process.on('exit', (_code, signal) => onExit(signal));
      else onExit(host.process.signalCode);
    };
    await enqueue(database.db, 'try-page', { trialId: '/poison' }, { maxAttempts: 2 });
    await pretendDeaths(database.db, 19);
    await enqueue(database.db, 'try-page', { trialId: '/fine' }, { priority: 5 });
    respawn(await startHost());
    await until(() => dead.length === 1 && events.some((event) => event.ended === '/fine'));
    const error = 'The worker died while it ran this job';
    expect(dead).toEqual([{ name: 'try-page', payload: { trialId: '/poison' }, error }]);
    expect(events.filter((event) => event.began === '/poison').map((event) => event.attempt)).toEqual([1, 1, 2]);
    // The test is told of it inside the transaction that removes the job.
    await until(async () => (await jobsIn(database.db)).length === 0);
    for (const host of hosts) host.process.removeAllListeners('exit');
  });

  it('never has more jobs under way than they have queues, with others beside it', async () => {
    const slots = 2;
    const jobs = Array.from({ length: 40 }, (_, index) => ({
      payload: { trialId: `/slow/${index}` },
      options: { queue: `capture/s/${index % slots}` },
    }));
    await Promise.all([startHost(), startHost(), startHost()]);
    await enqueueAll(database.db, 'try-page', jobs);
    let most = 0;
    await until(async () => {
      const rows = await jobsIn(database.db);
      most = Math.max(most, rows.filter((row) => row.lockedBy !== null).length);
      return rows.length === 0;
    });
    expect(most).toBe(slots);
    expect(new Set(events.map((event) => event.ended).filter(Boolean)).size).toBe(40);
    expect(events).toHaveLength(80);
    await Promise.all(hosts.map((host) => stop(host)));
  });
});

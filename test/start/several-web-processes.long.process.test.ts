import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { until } from '../queue/fixture.ts';
import { createTestDatabase } from '../support/database.ts';
import { isRunning } from '../support/is-running.ts';
import { startServiceProcess } from '../support/service-process.ts';
import type { ServiceProcess } from '../support/service-process.ts';

let dataDir: string;
let env: Record<string, string>;
let service: ServiceProcess;

beforeAll(async () => {
  const database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-web-processes-'));
  env = { ROLE: 'web', WEB_PROCESSES: '2', DATABASE_URL: database.url, DATA_DIR: dataDir };
  service = await startServiceProcess(env);
});

afterAll(async () => {
  await service.end('SIGKILL');
  await rm(dataDir, { recursive: true });
});

/** Each over a connection of its own: these are what the processes share. */
async function read(route: string): Promise<string> {
  const { statusCode, body } = await request(`${service.url}${route}`, { headers: { connection: 'close' } });
  expect(statusCode).toBe(200);
  return body.text();
}

/** The processes that answered, by the log of requests. */
const answered = () =>
  service.lines.flatMap((line): number[] => {
    const logged: unknown = line.startsWith('{') ? JSON.parse(line) : null;
    const isRequest = typeof logged === 'object' && logged !== null && 'path' in logged && 'pid' in logged;
    return isRequest && logged.path === '/api/openapi.json' ? [Number(logged.pid)] : [];
  });

async function readMany(count: number): Promise<number[]> {
  const before = answered().length;
  for (let done = 0; done < count; done += 1) await read('/api/openapi.json');
  await until(() => answered().length === before + count);
  return answered().slice(before);
}

describe('several web processes', () => {
  it('answer in turn at one address, and tell together what they have counted', async () => {
    const pids = await readMany(6);
    expect(new Set(pids).size).toBe(2);
    expect(pids).not.toContain(service.child.pid);
    const metrics = await read('/metrics');
    expect(metrics).toMatch(/^pixelgate_http_request_duration_seconds_count\{.*status="200"\} 6$/m);
    expect(metrics).toMatch(/^pixelgate_queue_jobs\{state="ready"\} 0$/m);
    expect(metrics.match(/^# TYPE process_cpu_seconds_total /gm)).toHaveLength(1);
  });

  it('go on when one of them dies, which is started again', async () => {
    const [killed = 0] = await readMany(1);
    process.kill(killed, 'SIGKILL');
    await until(() => service.lines.some((line) => line.includes('a web process ended and will be restarted')));
    expect(await readMany(3)).not.toContain(killed);
    await until(async () => new Set(await readMany(2)).size === 2);
    expect(answered().slice(-2)).not.toContain(killed);
  });

  it('say in a sentence when their port is taken', async () => {
    const refused = startServiceProcess({ ...env, PORT: new URL(service.url).port });
    await expect(refused).rejects.toThrow(/PORT is \d+, but another program is already listening on it/);
  });

  it('end with the first process, in order', async () => {
    const pids = [...new Set(await readMany(2))];
    expect(await service.end()).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

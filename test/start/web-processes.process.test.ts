import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { until } from '../queue/fixture.ts';
import { isRunning } from '../support/is-running.ts';

/** A first process whose web processes load nothing. @returns it and the numbers of both. */
async function startStubs(behavior: string) {
  const entry = new URL('web-primary.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [entry, behavior], { env: { ...process.env, NODE_OPTIONS: '' } });
  const [printed] = await once(child.stdout, 'data');
  const ask = async () => {
    const { body } = await request(String(printed).trim(), { headers: { connection: 'close' } });
    return Number(await body.text());
  };
  const pids = [await ask(), await ask()];
  expect(new Set(pids).size).toBe(2);
  return { child, pids };
}

describe('web processes', () => {
  it('end when the first process is killed', async () => {
    const { child, pids } = await startStubs('obedient');
    expect(pids.filter(isRunning)).toEqual(pids);
    child.kill('SIGKILL');
    await until(() => !pids.some(isRunning));
  });

  it('are killed when they do not end by themselves', async () => {
    const { child, pids } = await startStubs('deaf');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

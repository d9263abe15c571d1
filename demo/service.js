import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What the demo's service gets of the environment: never the caller's database, storage or secrets. */
const KEPT = ['PATH', 'HOME', 'CHROMIUM_PATH', 'BROWSER_WS_ENDPOINT', 'WORKER_THREADS', 'LOG_LEVEL'];
const ENTRY = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const LOOK_MS = 100;

/** Free a moment ago. It is chosen in advance, because PUBLIC_URL contains it. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No free port was found');
  return address.port;
}

/** @param {NodeJS.ProcessEnv} env @param {string} dataDir @param {number} port */
export const serviceEnv = (env, dataDir, port) => ({
  LOG_LEVEL: 'warn',
  ...Object.fromEntries(KEPT.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  ALLOW_PRIVATE_TARGETS: 'true',
});

/** @param {string} url */
async function answers(url) {
  try {
    // Not `/readyz`: it warns while the workers start, and jobs wait for those anyway.
    const response = await fetch(`${url}/healthz`);
    // An answer that nobody reads keeps its connection, and a service that stops waits for it.
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

/** Starts Pixelgate with a data directory of its own, which is deleted afterwards. @param {AbortSignal} signal */
export async function startService(signal) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-demo-'));
  // When started by root, the embedded PostgreSQL runs as another user, who must be able to enter this directory.
  await chmod(dataDir, 0o711);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // In its own process group: Ctrl-C is for the demo, which then stops it in order.
  const env = serviceEnv(process.env, dataDir, port);
  const child = spawn(process.execPath, [ENTRY], { env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const service = {
    url,
    async stop() {
      child.kill();
      await exited;
      process.off('exit', kill);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  while (!signal.aborted && !(await answers(url))) {
    if (child.exitCode !== null) await service.stop().then(() => Promise.reject(new Error('Pixelgate did not start')));
    await sleep(LOOK_MS);
  }
  return service;
}

import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../config.ts';
import type { Config } from '../config.ts';

/** The environment variables that are passed to the demo. Never the caller's database, storage or secrets. */
const KEPT = ['CHROMIUM_PATH', 'BROWSER_WS_ENDPOINT', 'WORKER_THREADS', 'LOG_LEVEL'];

export type RunningService = { url: string; stop(): Promise<void> };

/**
 * A port that was free a moment ago. It is chosen in advance because PUBLIC_URL must contain it before the service
 * listens.
 */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found');
  return address.port;
}

export function demoConfig(env: NodeJS.ProcessEnv, dataDir: string, port: number): Config {
  return readConfig({
    LOG_LEVEL: 'warn',
    ...Object.fromEntries(KEPT.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_TARGETS: 'true',
    // One person looks at it.
  });
}

/** Starts the whole service with its own data directory, which is deleted afterwards. */
export async function startDemoService(
  env: NodeJS.ProcessEnv,
  startService: (config: Config) => Promise<RunningService>,
): Promise<RunningService> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-demo-'));
  const remove = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  try {
    // When started by root, the embedded PostgreSQL runs as another user, who must be able to enter this directory.
    await chmod(dataDir, 0o711);
    const service = await startService(demoConfig(env, dataDir, await freePort()));
    return {
      url: service.url,
      async stop() {
        try {
          await service.stop();
        } finally {
          await remove();
        }
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

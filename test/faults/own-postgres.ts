import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { createLogger } from '../../src/logger.ts';
import { startTcpGate } from '../support/tcp-gate.ts';

/** A PostgreSQL server of a test's own, which it may kill. */
export type OwnPostgres = {
  /** Stays the same when the server is started again. */
  url: string;
  /** Kills the server, without a word to it. */
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
};

const portOf = ({ url }: EmbeddedPostgres) => Number(new URL(url).port);

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-postgres-'));
  // Root's server uses another account, which needs access.
  await chmod(dataDir, 0o711);
  const start = () => startEmbeddedPostgres({ dataDir, log: createLogger('silent') });
  let server = await start();
  const target = { hostname: '127.0.0.1', port: portOf(server) };
  const gate = await startTcpGate(target);
  return {
    url: Object.assign(new URL(server.url), { port: String(gate.port) }).href,
    async kill() {
      const [pid] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    async startAgain() {
      server = await start();
      target.port = portOf(server);
    },
    async stop() {
      await gate.stop();
      await server.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBrowser } from '../../src/capture/browser/ensure-browser.ts';
import { readConfig } from '../../src/config.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { createLogger } from '../../src/logger.ts';

const running: { dataDir: string; stop: () => Promise<void> }[] = [];

/** A browser and one PostgreSQL server for the whole run. `createTestDatabase` creates its databases. */
export async function start(): Promise<void> {
  await ensureBrowser(readConfig(), createLogger('info'));
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-test-'));
  // When run as root, the server uses another system account, which needs access.
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLogger('silent'), durable: false });
  // Without a listener, a signal ends Jest without an exit event, and the server would keep running.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  running.push({ dataDir, stop: postgres.stop });
  process.env['TEST_SERVER_URL'] = postgres.url;
}

export async function stop(): Promise<void> {
  for (const { dataDir, stop } of running) {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { readOrCreateSecret } from '../secrets/stored-secret.ts';
import { findBinaries } from './embedded/binaries.ts';
import { openCluster, SUPERUSER } from './embedded/cluster.ts';
import { launch, type Server, type ServerOptions } from './embedded/server.ts';
import { chooseAccount, chooseHome, unusable } from './embedded/system-account.ts';
import { takeOverDataDirectory } from './embedded/take-over-data-directory.ts';

export type EmbeddedPostgresOptions = {
  /** Created if missing. The database is in its subdirectory `postgres`, the password in `postgres-password`. */
  dataDir: string;
  log: Logger;
  /** Called once when the server ends without being stopped by us. */
  onExit?: (error: Error) => void;
  /** False: nothing is synced to disk. For tests only. */
  durable?: boolean;
};

export type EmbeddedPostgres = { url: string; stop: () => Promise<void> };

const ATTEMPTS = 20;
const PAUSE_MS = 250;

/**
 * Temporary problems: the free port was taken, another start was faster, or the backends of a killed server are still
 * ending.
 */
const PASSING =
  /Address already in use|could not bind|lock file "postmaster.pid" already exists|pre-existing shared memory/;

async function launchOn(location: string, options: ServerOptions): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    await takeOverDataDirectory(options.cluster, path.dirname(location), options.log);
    const outcome = await launch(options);
    if ('port' in outcome) return outcome;
    if (attempt === ATTEMPTS || !PASSING.test(outcome.output)) {
      throw unusable(`The database in ${location} did not start:\n${outcome.output}`);
    }
    await delay(PAUSE_MS);
  }
}

/**
 * A real PostgreSQL server on a free port of 127.0.0.1, with the binaries of the npm package. The first call creates
 * it, later calls reuse it. The package's own class is not used: it takes over SIGINT and SIGTERM, and Ctrl-C ends
 * its server before we are done with it.
 * @throws AppError with a sentence for the person who starts the service, also when another process uses `dataDir`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, onExit = () => {}, durable = true } = options;
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const location = path.join(dataDir, 'postgres');

  const account = await chooseAccount(location);
  const home = await chooseHome(account, dataDir);
  const binaries = await findBinaries(account, home);
  const password = await readOrCreateSecret(dataDir, 'postgres-password');
  const cluster = await openCluster({ location, home, account, binaries, password, durable, log });
  const server = await launchOn(location, { cluster, account, binaries, durable, log, onExit });
  log.info({ location, port: server.port }, 'the embedded database is running');
  return {
    url: `postgresql://${SUPERUSER}:${password}@127.0.0.1:${server.port}/postgres`,
    stop: server.stop,
  };
}

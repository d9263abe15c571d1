import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { startDatabaseClock } from './db/database-clock.ts';
import { connect } from './db/database.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { errorMessage } from './errors.ts';
import { formatFault } from './fsck/fault.ts';
import { findFaults } from './fsck/find-faults.ts';
import { hasApp } from './github/app/credentials.ts';
import { createLogger } from './logger.ts';
import { explainStartFailure } from './start/explain-start-failure.ts';
import { createStorage } from './storage/create-storage.ts';

/* `pixelgate fsck`. It needs the service's own environment, and no server. Faults go to stdout, words to stderr. */

const USAGE = `Usage: pixelgate fsck [options]

Compares the database of a Pixelgate service with its storage. Needs the environment of the service. Changes nothing.
The service may keep running, unless it uses the embedded database.

  --images   read every stored object and compare it with the hash in its name
  --json     print each fault as one line of JSON

Exit codes: 0 nothing found; 1 faults, one on each line; 2 could not look.
`;

const EXIT = { fine: 0, faults: 1, failed: 2 } as const;

type Terminal = { say: (text: string) => void; print: (text: string) => void; env: NodeJS.ProcessEnv };

const OPTIONS = {
  images: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

async function openDatabase(config: Config, log: ReturnType<typeof createLogger>) {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, stop: async () => {} };
  if (!existsSync(path.join(config.dataDir, 'postgres'))) {
    throw new ConfigError(`There is no database: DATABASE_URL is not set, and DATA_DIR ${config.dataDir} has none`);
  }
  return startEmbeddedPostgres({ dataDir: config.dataDir, log });
}

/** @returns how many faults it printed. */
async function look(config: Config, options: { images: boolean; json: boolean }, { print }: Terminal): Promise<number> {
  const log = createLogger('silent');
  const database = await openDatabase(config, log);
  const db = connect(database.url, { maxConnections: 1, log, readOnly: true });
  const clock = await startDatabaseClock(db, log);
  let faults = 0;
  try {
    const storage = await createStorage(config);
    const checks = await hasApp({ config, db });
    for await (const fault of findFaults({ db, storage, clock }, { images: options.images, checks })) {
      faults += 1;
      print(options.json ? JSON.stringify(fault) : formatFault(fault));
    }
  } finally {
    clock.stop();
    await db.destroy();
    await database.stop();
  }
  return faults;
}

function readConfigOf(env: NodeJS.ProcessEnv, say: Terminal['say']): Config | null {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.message);
    return null;
  }
}

/** @returns the exit code. */
export async function runFsck(args: string[], terminal: Terminal): Promise<number> {
  const { say, print, env } = terminal;
  let options;
  try {
    options = parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    say(errorMessage(error));
    return EXIT.failed;
  }
  if (options.help) {
    print(USAGE);
    return EXIT.fine;
  }
  const config = readConfigOf(env, say);
  if (config === null) return EXIT.failed;
  try {
    const faults = await look(config, options, terminal);
    say(faults === 0 ? 'No faults' : `${faults} faults`);
    return faults === 0 ? EXIT.fine : EXIT.faults;
  } catch (error) {
    say(explainStartFailure(error, config) ?? errorMessage(error));
    return EXIT.failed;
  }
}

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
import { isObjectName } from './storage/object-name.ts';
import { formatCount } from './text/format.ts';

/*
 * `pixelgate fsck`. It needs the service's environment, but no running server. Faults go to stdout, messages to stderr.
 */

const USAGE = `Usage: pixelgate fsck [options]

Compares the database of a Pixelgate service with its storage. Needs the environment of the service. Changes no row.
The service may keep running, unless it uses the embedded database.

  --images          read every stored object and compare it with the hash in its name
  --remove-unnamed  remove stored objects that no row has named for a day
  --json            print each fault as one line of JSON

Exit codes: 0 nothing found; 1 faults, one on each line; 2 could not look.
`;

const EXIT = { fine: 0, faults: 1, failed: 2 } as const;

type Terminal = { say: (text: string) => void; print: (text: string) => void; env: NodeJS.ProcessEnv };

const OPTIONS = {
  images: { type: 'boolean', default: false },
  'remove-unnamed': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

async function openDatabase(config: Config, log: ReturnType<typeof createLogger>) {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url !== null) return { url, stop: async () => {} };
  if (!existsSync(path.join(config.dataDir, 'postgres'))) {
    throw new ConfigError(`There is no database: DATABASE_URL is not set, and DATA_DIR ${config.dataDir} has none`);
  }
  return startEmbeddedPostgres({ dataDir: config.dataDir, log });
}

type LookOptions = { images: boolean; json: boolean; 'remove-unnamed': boolean };

const UNNAMED_FOR_MS = 86_400_000;

/** @returns how many faults it printed, and how many objects it removed. */
async function look(config: Config, options: LookOptions, { print }: Terminal) {
  const log = createLogger('silent');
  const database = await openDatabase(config, log);
  const db = connect(database.url, { maxConnections: 1, log, readOnly: true });
  const clock = await startDatabaseClock(db, log);
  let [faults, removed] = [0, 0];
  try {
    const storage = await createStorage(config);
    const checks = await hasApp({ config, db });
    for await (const fault of findFaults({ db, storage, clock }, { images: options.images, checks })) {
      const before = new Date(clock.now().getTime() - UNNAMED_FOR_MS);
      const isToGo = options['remove-unnamed'] && fault.kind === 'unnamed_object' && isObjectName(fault.subject);
      if (isToGo && (await storage.removeOlder(fault.subject, before))) {
        removed += 1;
        continue;
      }
      faults += 1;
      print(options.json ? JSON.stringify(fault) : formatFault(fault));
    }
  } finally {
    clock.stop();
    await db.destroy();
    await database.stop();
  }
  return { faults, removed };
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
    const { faults, removed } = await look(config, options, terminal);
    if (options['remove-unnamed']) say(`Removed ${formatCount(removed, 'object')}`);
    say(faults === 0 ? 'No faults' : formatCount(faults, 'fault'));
    return faults === 0 ? EXIT.fine : EXIT.faults;
  } catch (error) {
    say(explainStartFailure(error, config) ?? errorMessage(error));
    return EXIT.failed;
  }
}

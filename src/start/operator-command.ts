import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Terminal } from '../cli/run-command.ts';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { errorMessage } from '../errors.ts';
import { createLogger, type Logger } from '../logger.ts';
import { explainStartFailure } from './explain-start-failure.ts';

/* Shared by the commands that need the service's own environment, and no server. */

export const EXIT = { fine: 0, faults: 1, failed: 2 } as const;

export type Opened = { config: Config; databaseUrl: string; log: Logger };

async function openDatabase(config: Config, log: Logger, isMade: boolean) {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url !== null) return { url, stop: async () => {} };
  if (!isMade && !existsSync(path.join(config.dataDir, 'postgres'))) {
    throw new ConfigError(`There is no database: DATABASE_URL is not set, and DATA_DIR ${config.dataDir} has none`);
  }
  return startEmbeddedPostgres({ dataDir: config.dataDir, log });
}

function readConfigOrSay({ env, say }: Terminal): Config | null {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.message);
    return null;
  }
}

/** Runs a command with the service's settings, and says in one sentence what went wrong. @returns the exit code */
export async function onConfig(terminal: Terminal, work: (config: Config) => Promise<number>): Promise<number> {
  const config = readConfigOrSay(terminal);
  if (config === null) return EXIT.failed;
  try {
    return await work(config);
  } catch (error) {
    terminal.say(explainStartFailure(error, config) ?? errorMessage(error));
    return EXIT.failed;
  }
}

/**
 * The same on the service's database.
 * @param isMade whether a missing embedded database is created
 */
export async function onDatabase(
  terminal: Terminal,
  work: (opened: Opened) => Promise<number>,
  { isMade = false }: { isMade?: boolean } = {},
): Promise<number> {
  return onConfig(terminal, async (config) => {
    const log = createLogger('silent');
    const { url: databaseUrl, stop } = await openDatabase(config, log, isMade);
    try {
      return await work({ config, databaseUrl, log });
    } finally {
      await stop();
    }
  });
}

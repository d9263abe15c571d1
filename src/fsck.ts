import { parseArgs } from 'node:util';
import type { Terminal } from './cli/run-command.ts';
import { connect } from './db/connect.ts';
import { startDatabaseClock } from './db/database-clock.ts';
import { errorMessage } from './errors.ts';
import { formatFault } from './fsck/fault.ts';
import { findFaults } from './fsck/find-faults.ts';
import { hasApp } from './github/app/credentials.ts';
import { EXIT, onDatabase, type Opened } from './start/operator-command.ts';
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

const OPTIONS = {
  images: { type: 'boolean', default: false },
  'remove-unnamed': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

type LookOptions = { images: boolean; json: boolean; 'remove-unnamed': boolean };

const UNNAMED_FOR_MS = 86_400_000;

/** @returns how many faults it printed, and how many objects it removed. */
async function look({ config, databaseUrl, log }: Opened, options: LookOptions, { print }: Terminal) {
  const db = connect(databaseUrl, { maxConnections: 1, log, readOnly: true });
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
  }
  return { faults, removed };
}

/** @returns the exit code. */
export async function runFsck(args: string[], terminal: Terminal): Promise<number> {
  const { say, print } = terminal;
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
  const chosen = options;
  return onDatabase(terminal, async (opened) => {
    const { faults, removed } = await look(opened, chosen, terminal);
    if (chosen['remove-unnamed']) say(`Removed ${formatCount(removed, 'object')}`);
    say(faults === 0 ? 'No faults' : formatCount(faults, 'fault'));
    return faults === 0 ? EXIT.fine : EXIT.faults;
  });
}

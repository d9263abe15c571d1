import path from 'node:path';
import { parseArgs } from 'node:util';
import { copyObjects } from './backup/copy-objects.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { takeBackup } from './backup/take-backup.ts';
import type { Terminal } from './cli/run-command.ts';
import { connect } from './db/connect.ts';
import { errorMessage } from './errors.ts';
import { EXIT, onConfig, onDatabase } from './start/operator-command.ts';
import { createStorage } from './storage/create-storage.ts';
import { formatCount } from './text/format.ts';

/* `pixelgate backup`, `restore` and `storage copy`. Damaged objects go to stdout, words to stderr. */

const USAGE = `Usage: pixelgate backup <dir>
       pixelgate restore <dir>
       pixelgate storage copy disk s3
       pixelgate storage copy s3 disk

Need the environment of the service.

  backup        copies the database and the images into a directory. What an earlier backup left
                there is not copied again. The service may keep running, unless it uses the embedded
                database. Keep JWT_SECRET, too.
  restore       puts a backup into an empty database, and the images into the storage. Every file
                must have the hash that it had.
  storage copy  copies the images that the other storage lacks. The service may keep running.

Exit codes: 0 all of it; 1 all but damaged objects, one on each line; 2 failed.
`;

function report(damaged: string[], { print }: Terminal): number {
  for (const name of damaged) print(`${name}: damaged, its bytes do not have the hash in its name`);
  return damaged.length === 0 ? EXIT.fine : EXIT.faults;
}

async function backup(directory: string, terminal: Terminal): Promise<number> {
  return onDatabase(terminal, async ({ config, databaseUrl }) => {
    const storage = await createStorage(config);
    const { tables, objects, copied, damaged } = await takeBackup({ databaseUrl, storage }, directory);
    const told = `${formatCount(tables, 'table')} and ${formatCount(objects, 'object')}, ${copied} of them new`;
    terminal.say(`Backed up ${told}. Keep JWT_SECRET with them`);
    return report(damaged, terminal);
  });
}

async function restore(directory: string, terminal: Terminal): Promise<number> {
  const work: Parameters<typeof onDatabase>[1] = async ({ config, databaseUrl, log }) => {
    const db = connect(databaseUrl, { maxConnections: 1, log });
    try {
      const target = { databaseUrl, db, storage: await createStorage(config), log };
      const { tables, objects } = await restoreBackup(target, directory);
      terminal.say(`Restored ${formatCount(tables, 'table')} and ${formatCount(objects, 'object')}`);
      return EXIT.fine;
    } finally {
      await db.destroy();
    }
  };
  return onDatabase(terminal, work, { isMade: true });
}

async function copyStorage(from: string, to: string, terminal: Terminal): Promise<number> {
  return onConfig(terminal, async (config) => {
    if (config.s3 === null) {
      terminal.say('S3_BUCKET is not set');
      return EXIT.failed;
    }
    const open = async (kind: string) => createStorage({ ...config, s3: kind === 's3' ? config.s3 : null });
    const { objects, copied, damaged } = await copyObjects(await open(from), await open(to));
    terminal.say(`Copied ${formatCount(copied, 'object')}: ${to} has ${formatCount(objects, 'object')} now`);
    return report(damaged, terminal);
  });
}

function readWords(args: string[]): string[] | null {
  const { values, positionals } = parseArgs({
    args,
    options: { help: { type: 'boolean', short: 'h', default: false } },
    allowPositionals: true,
  });
  return values.help ? null : positionals;
}

/** @returns the exit code. */
export async function runBackup(args: string[], terminal: Terminal): Promise<number> {
  try {
    const words = readWords(args);
    if (words === null) {
      terminal.print(USAGE);
      return EXIT.fine;
    }
    const [command, ...rest] = words;
    const [subject, from, to] = rest;
    if (command === 'backup' && rest.length === 1 && subject !== undefined)
      return await backup(path.resolve(subject), terminal);
    if (command === 'restore' && rest.length === 1 && subject !== undefined)
      return await restore(path.resolve(subject), terminal);
    const isCopy = command === 'storage' && subject === 'copy' && rest.length === 3;
    if (isCopy && from !== undefined && to !== undefined && [from, to].toSorted().join(' ') === 'disk s3') {
      return await copyStorage(from, to, terminal);
    }
    terminal.say(USAGE);
  } catch (error) {
    terminal.say(errorMessage(error));
  }
  return EXIT.failed;
}

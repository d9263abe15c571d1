#!/usr/bin/env node
import { readCall, USAGE } from './cli/arguments.ts';
import { describeError, EXIT, exitCodeOf } from './cli/outcome.ts';
import { runCommand } from './cli/run-command.ts';

/*
 * Entry of the command line tool. Messages go to stderr, the result to stdout.
 */

const say = (text: string) => void process.stderr.write(`${text}\n`);
const print = (text: string) => void process.stdout.write(`${text}\n`);

type Terminal = { say: typeof say; print: typeof print; env: NodeJS.ProcessEnv };

/** Commands that need the service's own environment. The npm package has none of it. */
const OPERATOR = {
  fsck: async (args: string[], terminal: Terminal) => (await import('./fsck.ts')).runFsck(args, terminal),
  backup: async (args: string[], terminal: Terminal) => (await import('./backup.ts')).runBackup(args, terminal),
} as const;

const OPERATOR_COMMANDS = new Map<string | undefined, keyof typeof OPERATOR>([
  ['fsck', 'fsck'],
  ['backup', 'backup'],
  ['restore', 'backup'],
  ['storage', 'backup'],
]);

async function operate(name: keyof typeof OPERATOR, args: string[]): Promise<number> {
  try {
    return await OPERATOR[name](args, { say, print, env: process.env });
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isAbsent) throw error;
    say('This command needs the service: run it where that is installed, as `node dist/cli.js`');
    return EXIT.usage;
  }
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const operator = OPERATOR_COMMANDS.get(args[0]);
  if (operator !== undefined) return operate(operator, operator === 'fsck' ? args.slice(1) : args);
  const call = readCall(args);
  if (call !== null) return runCommand(call, { say, print, env: process.env });
  process.stdout.write(USAGE);
  return args.length > 0 ? EXIT.fine : EXIT.usage;
}

function fail(error: unknown): number {
  say(describeError(error));
  return exitCodeOf(error);
}

// Node's own exit code for these is 1: changes await review.
process.on('uncaughtException', (error) => process.exit(fail(error)));
process.exitCode = await main().catch(fail);

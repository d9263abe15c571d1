#!/usr/bin/env node
import { readCall, USAGE } from './cli/arguments.ts';
import { describeError, EXIT, exitCodeOf, forTerminal } from './cli/outcome.ts';
import { runCommand, type Terminal } from './cli/run-command.ts';
import { hasCode } from './errors.ts';

/*
 * Entry of the command line tool. Messages go to stderr, the result to stdout.
 */

const terminal: Terminal = {
  say: (text) => void process.stderr.write(`${forTerminal(text)}\n`),
  print: (text) => void process.stdout.write(`${forTerminal(text)}\n`),
  env: process.env,
};

/** Commands that need the service's own environment. The npm package has none of it. */
const OPERATOR = {
  fsck: async (args: string[]) => (await import('./fsck.ts')).runFsck(args, terminal),
  backup: async (args: string[]) => (await import('./backup.ts')).runBackup(args, terminal),
} as const;

const OPERATOR_COMMANDS = new Map<string | undefined, keyof typeof OPERATOR>([
  ['fsck', 'fsck'],
  ['backup', 'backup'],
  ['restore', 'backup'],
  ['storage', 'backup'],
]);

async function operate(name: keyof typeof OPERATOR, args: string[]): Promise<number> {
  try {
    return await OPERATOR[name](args);
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND')) throw error;
    terminal.say('This command needs the service: run it where that is installed, as `node dist/cli.js`');
    return EXIT.usage;
  }
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const operator = OPERATOR_COMMANDS.get(args[0]);
  if (operator !== undefined) return operate(operator, operator === 'fsck' ? args.slice(1) : args);
  const call = readCall(args);
  if (call !== null) return runCommand(call, terminal);
  process.stdout.write(USAGE);
  return args.length > 0 ? EXIT.fine : EXIT.usage;
}

function fail(error: unknown): number {
  terminal.say(describeError(error));
  return exitCodeOf(error);
}

// Node's own exit code for these is 1: changes await review.
process.on('uncaughtException', (error) => process.exit(fail(error)));
process.exitCode = await main().catch(fail);

#!/usr/bin/env node
import { USAGE, readCall } from './cli/arguments.ts';
import { EXIT, describeError, exitCodeOf } from './cli/outcome.ts';
import { runCommand } from './cli/run-command.ts';

/*
 * Entry of the command line tool. Messages go to stderr, the result to stdout.
 */

const say = (text: string) => void process.stderr.write(`${text}\n`);
const print = (text: string) => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'fsck') {
    // Only this command needs more than a server's address.
    const { runFsck } = await import('./fsck.ts');
    return runFsck(rest, { say, print, env: process.env });
  }
  const call = readCall(process.argv.slice(2));
  if (call !== null) return runCommand(call, { say, print, env: process.env });
  process.stdout.write(USAGE);
  return process.argv.length > 2 ? EXIT.fine : EXIT.usage;
}

function fail(error: unknown): number {
  say(describeError(error));
  return exitCodeOf(error);
}

// Node's own exit code for these is 1: changes await review.
process.on('uncaughtException', (error) => process.exit(fail(error)));
process.exitCode = await main().catch(fail);

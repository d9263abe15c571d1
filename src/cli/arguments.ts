import { parseArgs } from 'node:util';
import { UsageError } from './outcome.ts';

export const USAGE = `Usage: pixelgate <command> [options]

  upload <dir>   upload a built site; prints the build's id
  run            start a run of the suite's own site, or of
                   --url <address>  a preview
                   --dir <dir>      a built site, which is uploaded first
                   --build <id>     a build that was uploaded
  status <run>   say how a run stands
  wait <run>     wait until a run has ended
  open <run>     print the address of a run's review

Options
  --server <address>  the Pixelgate server     (PIXELGATE_URL)
  --suite <id>        the suite                (PIXELGATE_SUITE)
  --sha <sha>         the commit that was built
  --branch <name>     its branch, for display
  --pr <number>       its pull request, for display
  --wait              of run: wait until it has ended
  --timeout <minutes> how long to wait, 60 by default
  --json              print the answer as JSON

The API token is read from PIXELGATE_TOKEN. It must have the scopes that the command needs.

Exit codes: 0 nothing to review, or approved; 1 changes await review; 2 errors; 3 wrong use; 4 not reached or not allowed.
`;

const OPTIONS = {
  server: { type: 'string' },
  suite: { type: 'string' },
  url: { type: 'string' },
  dir: { type: 'string' },
  build: { type: 'string' },
  sha: { type: 'string' },
  branch: { type: 'string' },
  pr: { type: 'string' },
  timeout: { type: 'string', default: '60' },
  wait: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export type Options = ReturnType<typeof parse>['values'];

const COMMANDS = { upload: 1, run: 0, status: 1, wait: 1, open: 1 } as const;
type Command = keyof typeof COMMANDS;

const isCommand = (text: string): text is Command => Object.hasOwn(COMMANDS, text);

function positiveNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new UsageError(`--${name} must be a whole number above 0`);
  return number;
}

export type Call = { command: Command; subject: string; options: Options; pr: number | null; timeoutMs: number };

/** Null: help is wanted. @throws UsageError */
export function readCall(args: string[]): Call | null {
  const { values: options, positionals } = parse(args);
  const [command, ...subjects] = positionals;
  if (options.help || command === undefined) return null;
  if (!isCommand(command)) throw new UsageError(`There is no command ${command}`);
  if (subjects.length !== COMMANDS[command]) {
    throw new UsageError(`${command} takes ${COMMANDS[command] === 1 ? 'one argument' : 'no arguments'}`);
  }
  if ([options.url, options.dir, options.build].filter((each) => each !== undefined).length > 1) {
    throw new UsageError('Only one of --url, --dir and --build can be given');
  }
  return {
    command,
    subject: subjects[0] ?? '',
    options,
    pr: options.pr === undefined ? null : positiveNumber('pr', options.pr),
    timeoutMs: positiveNumber('timeout', options.timeout) * 60_000,
  };
}

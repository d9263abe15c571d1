import { parseArgs } from 'node:util';
import { errorMessage } from '../errors.ts';
import { readNumber } from '../text/typed-number.ts';
import { UsageError } from './outcome.ts';

export const USAGE = `Usage: pixelgate <command> [options]

  upload <dir>   upload a built site and print the build ID
  run            start a run of the suite's own site, or of
                   --url <url>      a preview
                   --dir <dir>      a built site, uploaded first
                   --build <id>     an uploaded build
  status <run>   show the status of a run
  wait <run>     wait until a run finishes
  open <run>     print the URL of a run's review

On the server, with its environment (each has --help)
  backup <dir>   back up the database and the images
  restore <dir>  put a backup into an empty database
  storage copy   copy the images from disk to S3, or back
  fsck           check that the database and storage agree

Options
  --server <url>      the Pixelgate server     (PIXELGATE_URL)
  --suite <id>        the suite                (PIXELGATE_SUITE)
  --sha <sha>         the commit that was built
  --branch <name>     the branch, for display
  --pr <number>       the pull request, for display
  --message <text>    the commit message, for display
  --wait              with run: wait until it finishes
  --timeout <minutes> how long to wait, 60 by default
  --json              print the result as JSON

The API token is read from PIXELGATE_TOKEN and must have the scopes that the command needs. A GitHub workflow with
id-token: write needs no token, and no suite if only one is linked to its repository.

Exit codes: 0 nothing to review, or approved; 1 changes await review, or for status: the run is in progress; 2 errors;
3 invalid usage; 4 server not reachable, not Pixelgate, or access denied. Run without --wait: 0 once it is started.
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
  message: { type: 'string' },
  timeout: { type: 'string', default: '60' },
  wait: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true, tokens: true });
  } catch (error) {
    throw new UsageError(errorMessage(error));
  }
}

export type Options = ReturnType<typeof parse>['values'];

const COMMANDS = { upload: 1, run: 0, status: 1, wait: 1, open: 1 } as const;
type Command = keyof typeof COMMANDS;

const EVERYWHERE: readonly string[] = ['server', 'suite', 'json', 'help'];

/** The other options that a command has. */
const OWN_OPTIONS: Record<Command, readonly string[]> = {
  upload: ['sha'],
  run: ['url', 'dir', 'build', 'sha', 'branch', 'pr', 'message', 'wait', 'timeout'],
  status: [],
  wait: ['timeout'],
  open: [],
};

const isCommand = (text: string): text is Command => Object.hasOwn(COMMANDS, text);

function positiveNumber(name: string, text: string): number {
  const number = readNumber(text);
  if (!Number.isInteger(number) || number < 1) throw new UsageError(`--${name} must be a whole number above 0`);
  return number;
}

export type Call = { command: Command; subject: string; options: Options; pr: number | null; timeoutMs: number };

/** Null: the user asked for help. @throws UsageError */
export function readCall(args: string[]): Call | null {
  const { values: options, positionals, tokens } = parse(args);
  const [command, ...subjects] = positionals;
  if (options.help || command === undefined) return null;
  if (!isCommand(command)) throw new UsageError(`Unknown command: ${command}`);
  if (subjects.length !== COMMANDS[command]) {
    throw new UsageError(`${command} takes ${COMMANDS[command] === 1 ? 'one argument' : 'no arguments'}`);
  }
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  // If it was ignored, `upload --wait` would end with 0, as if a run had passed.
  const foreign = given.find((name) => ![...EVERYWHERE, ...OWN_OPTIONS[command]].includes(name));
  if (foreign !== undefined) throw new UsageError(`${command} has no option --${foreign}`);
  if (subjects.includes('')) throw new UsageError(`The argument of ${command} is empty`);
  if ([options.url, options.dir, options.build].filter((each) => each !== undefined).length > 1) {
    throw new UsageError('Use only one of --url, --dir and --build');
  }
  return {
    command,
    subject: subjects[0] ?? '',
    options,
    pr: options.pr === undefined ? null : positiveNumber('pr', options.pr),
    timeoutMs: positiveNumber('timeout', options.timeout) * 60_000,
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { formatCount } from '../text/format.ts';
import { parseUrl, withoutSlash } from '../text/parse-url.ts';
import type { Call, Options } from './arguments.ts';
import { DeniedError, describeRun, EXIT, exitCode, hasEnded, RefusedError, RunState, UsageError } from './outcome.ts';
import { packDirectory } from './pack-directory.ts';
import { send } from './send.ts';
import { chooseSuite, readServer, type Server } from './sign-in.ts';

const Build = z.object({ id: z.string(), files: z.number(), bytes: z.number() });

const Started = z.object({ testRunId: z.string() });

const Runs = z.object({ testRuns: z.array(RunState) });

async function call<T>(
  { address, signIn }: Server,
  path: string,
  schema: z.ZodType<T>,
  init: Parameters<typeof send>[2] = {},
): Promise<T> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${(await signIn()).token}`);
  return send(`${address}/api${path}`, schema, { ...init, headers });
}

async function uploadBuild(
  server: Server,
  suite: string,
  archive: ReadableStream<Uint8Array>,
  sha: string | undefined,
): Promise<z.infer<typeof Build>> {
  const query = sha === undefined ? '' : `?headSha=${encodeURIComponent(sha)}`;
  const headers = { 'content-type': 'application/gzip' };
  const path = `/test-suites/${encodeURIComponent(suite)}/builds${query}`;
  return call(server, path, Build, { method: 'POST', headers, body: archive, duplex: 'half' });
}

async function startRun(server: Server, suite: string, input: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const path = `/test-suites/${encodeURIComponent(suite)}/run`;
  const init = { method: 'POST', headers, body: JSON.stringify(input) };
  return (await call(server, path, Started, init)).testRunId;
}

async function readRun(server: Server, id: string): Promise<RunState> {
  return call(server, `/test-runs/${encodeURIComponent(id)}`, RunState);
}

/**
 * The run without its results, of which there may be thousands. Null: it is no longer in the list, because there are
 * newer runs.
 */
async function peekAtRun(server: Server, suite: string, id: string): Promise<RunState | null> {
  const { testRuns } = await call(server, `/test-runs?testSuiteId=${encodeURIComponent(suite)}&limit=100`, Runs);
  return testRuns.find((run) => run.id === id) ?? null;
}

/** Where messages go, and where the result goes. */
export type Terminal = { say: (text: string) => void; print: (text: string) => void; env: NodeJS.ProcessEnv };

const POLL_MS = 2_000;

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`${name} is not set`);
  return value;
}

function readAddress({ server }: Options, env: NodeJS.ProcessEnv): string {
  const address = withoutSlash(required('--server or PIXELGATE_URL', server ?? env['PIXELGATE_URL']));
  if (!/^https?:$/.test(parseUrl(address)?.protocol ?? '')) {
    throw new UsageError(`${address} is not an http(s) URL`);
  }
  return address;
}

/** Null: not named. */
function readSuite({ suite }: Options, env: NodeJS.ProcessEnv): string | null {
  const named = suite ?? env['PIXELGATE_SUITE'];
  return named === undefined || named === '' ? null : named;
}

const runAddress = ({ address }: Server, id: string) => `${address}/runs/${encodeURIComponent(id)}`;

async function upload(server: Server, suite: string, dir: string, sha: string | undefined, terminal: Terminal) {
  const { archive, fault } = await packDirectory(dir);
  const build = await uploadBuild(server, suite, archive, sha).catch((error: unknown) => {
    throw fault() ?? error;
  });
  terminal.say(`Uploaded ${formatCount(build.files, 'file')}, ${formatCount(build.bytes, 'byte')}`);
  return build;
}

/**
 * Reports each new state once. If the server is away for a while, it is asked again, but not by `wait` before its first
 * answer: the address may be wrong.
 */
async function awaitRun(server: Server, id: string, call: Call, terminal: Terminal): Promise<RunState> {
  const end = Date.now() + call.timeoutMs;
  let run: RunState | null = null;
  let said = '';
  for (;;) {
    try {
      run = (run && (await peekAtRun(server, run.testSuiteId, id))) ?? (await readRun(server, id));
      if (hasEnded(run)) return run;
      const state = describeRun(run);
      if (state !== said) terminal.say(state);
      said = state;
    } catch (error) {
      if (!(error instanceof RefusedError) || error instanceof DeniedError || Date.now() >= end) throw error;
      if (run === null && call.command === 'wait') throw error;
      terminal.say(error.message);
    }
    if (Date.now() >= end)
      throw new RefusedError(`The run did not finish within ${formatCount(Number(call.options.timeout), 'minute')}`);
    await pause(POLL_MS);
  }
}

function report(server: Server, run: RunState, { command, options }: Call, { say, print }: Terminal): number {
  const address = runAddress(server, run.id);
  // To start a run without waiting for it is all that was asked.
  const code = command === 'run' && !hasEnded(run) ? EXIT.fine : exitCode(run);
  say(describeRun(run));
  if (options.json) print(JSON.stringify({ ...run, url: address, exitCode: code }));
  else print(address);
  return code;
}

async function start(server: Server, suite: string, call: Call, terminal: Terminal): Promise<number> {
  const { options, pr } = call;
  const built = options.dir === undefined ? null : await upload(server, suite, options.dir, undefined, terminal);
  const id = await startRun(server, suite, {
    targetBaseUrl: options.url,
    buildId: built?.id ?? options.build,
    branch: options.branch,
    headSha: options.sha,
    prNumber: pr ?? undefined,
    message: options.message,
  });
  const address = runAddress(server, id);
  terminal.say(`Started ${address}`);
  if (!options.wait && !options.json) {
    terminal.print(address);
    return EXIT.fine;
  }
  const run = options.wait ? await awaitRun(server, id, call, terminal) : await readRun(server, id);
  return report(server, run, call, terminal);
}

/** @returns the exit code. @throws UsageError, RefusedError, FilesError */
export async function runCommand(call: Call, terminal: Terminal): Promise<number> {
  const { command, subject, options } = call;
  const named = readSuite(options, terminal.env);
  const server = readServer(readAddress(options, terminal.env), named, terminal);
  switch (command) {
    case 'upload': {
      const suite = await chooseSuite(server, named);
      const build = await upload(server, suite, subject, options.sha, terminal);
      terminal.print(options.json ? JSON.stringify(build) : build.id);
      return EXIT.fine;
    }
    case 'run':
      return start(server, await chooseSuite(server, named), call, terminal);
    case 'status':
      return report(server, await readRun(server, subject), call, terminal);
    case 'wait':
      return report(server, await awaitRun(server, subject, call, terminal), call, terminal);
    case 'open':
      terminal.print(runAddress(server, (await readRun(server, subject)).id));
      return EXIT.fine;
  }
}

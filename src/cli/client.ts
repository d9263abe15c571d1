import { z } from 'zod';
import { RunState } from './outcome.ts';
import { send } from './send.ts';
import type { Server } from './sign-in.ts';

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

export async function uploadBuild(
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

export async function startRun(server: Server, suite: string, input: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const path = `/test-suites/${encodeURIComponent(suite)}/run`;
  const init = { method: 'POST', headers, body: JSON.stringify(input) };
  return (await call(server, path, Started, init)).testRunId;
}

export async function readRun(server: Server, id: string): Promise<RunState> {
  return call(server, `/test-runs/${encodeURIComponent(id)}`, RunState);
}

/**
 * The run without its results, of which there may be thousands. Null: it is no longer in the list, because there are
 * newer runs.
 */
export async function peekAtRun(server: Server, suite: string, id: string): Promise<RunState | null> {
  const { testRuns } = await call(server, `/test-runs?testSuiteId=${encodeURIComponent(suite)}&limit=100`, Runs);
  return testRuns.find((run) => run.id === id) ?? null;
}

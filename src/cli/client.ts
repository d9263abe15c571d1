import { z } from 'zod';
import type { RunState } from './outcome.ts';
import { send } from './send.ts';
import type { Server } from './sign-in.ts';

const Count = z.number().optional();

const Run = z.object({
  id: z.string(),
  testSuiteId: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED']),
  reviewState: z.enum(['NOT_REQUIRED', 'PENDING', 'APPROVED']),
  metadata: z
    .object({
      totalScreenshots: Count,
      passedTests: Count,
      failedTests: Count,
      errorTests: Count,
      error: z.string().optional(),
    })
    .nullable(),
});

async function call(
  { address, signIn }: Server,
  path: string,
  init: Parameters<typeof send>[1] = {},
): Promise<unknown> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${(await signIn()).token}`);
  return send(`${address}/api${path}`, { ...init, headers });
}

export async function uploadBuild(
  server: Server,
  suite: string,
  archive: ReadableStream<Uint8Array>,
  sha: string | undefined,
): Promise<{ id: string; files: number; bytes: number }> {
  const query = sha === undefined ? '' : `?headSha=${encodeURIComponent(sha)}`;
  const headers = { 'content-type': 'application/gzip' };
  const path = `/test-suites/${encodeURIComponent(suite)}/builds${query}`;
  const answer = await call(server, path, { method: 'POST', headers, body: archive, duplex: 'half' });
  return z.object({ id: z.string(), files: z.number(), bytes: z.number() }).parse(answer);
}

export async function startRun(server: Server, suite: string, input: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const path = `/test-suites/${encodeURIComponent(suite)}/run`;
  const answer = await call(server, path, { method: 'POST', headers, body: JSON.stringify(input) });
  return z.object({ testRunId: z.string() }).parse(answer).testRunId;
}

export async function readRun(server: Server, id: string): Promise<RunState & { testSuiteId: string }> {
  return Run.parse(await call(server, `/test-runs/${encodeURIComponent(id)}`));
}

/** The run without its results, of which there may be thousands. Null: newer runs have pushed it out of the list. */
export async function peekAtRun(server: Server, suite: string, id: string): Promise<RunState | null> {
  const answer = await call(server, `/test-runs?testSuiteId=${encodeURIComponent(suite)}&limit=100`);
  const { testRuns } = z.object({ testRuns: z.array(Run) }).parse(answer);
  return testRuns.find((run) => run.id === id) ?? null;
}

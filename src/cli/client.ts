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

const Build = z.object({ id: z.string(), files: z.number(), bytes: z.number() });

const Started = z.object({ testRunId: z.string() });

const Runs = z.object({ testRuns: z.array(Run) });

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

export async function readRun(server: Server, id: string): Promise<RunState & { testSuiteId: string }> {
  return call(server, `/test-runs/${encodeURIComponent(id)}`, Run);
}

/**
 * The run without its results, of which there may be thousands. Null: it is no longer in the list, because there are
 * newer runs.
 */
export async function peekAtRun(server: Server, suite: string, id: string): Promise<RunState | null> {
  const { testRuns } = await call(server, `/test-runs?testSuiteId=${encodeURIComponent(suite)}&limit=100`, Runs);
  return testRuns.find((run) => run.id === id) ?? null;
}

import { z } from 'zod';
import { RefusedError, UsageError } from './outcome.ts';
import type { RunState } from './outcome.ts';

const Failure = z.object({ error: z.string() });
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

export type Server = { address: string; token: string };

/** A request, with its answer's JSON. @throws RefusedError; UsageError when the server finds fault with the input. */
async function call(server: Server, path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<unknown> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${server.token}`);
  let response: Response;
  try {
    response = await fetch(`${server.address}/api${path}`, { ...init, headers });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new RefusedError(`${server.address} could not be reached${cause}`, { cause: error });
  }
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const failure = Failure.safeParse(text.startsWith('{') ? JSON.parse(text) : null);
  const why = failure.success ? failure.data.error : `${response.status} ${response.statusText}`;
  const isInput = [400, 409, 413, 415, 422].includes(response.status);
  throw isInput ? new UsageError(why) : new RefusedError(why);
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

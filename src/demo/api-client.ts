import { z } from 'zod';
import {
  ApiError,
  Auth,
  Baselines,
  Logs,
  Message,
  SignInLink,
  SitePages,
  Started,
  Suite,
  TestRun,
} from './api-shapes.ts';

/** The API refused a request. The message names the operation, followed by the API's own message. */
class ApiRefusal extends Error {}

const TIMEOUT = 30_000;

type Session = { service: string; token: string | null; signal: AbortSignal };

const describe = (method: string, path: string) => `${method} /api${path}`;

async function send(session: Session, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${session.service}/api${path}`, {
    method,
    headers: {
      ...(session.token === null ? {} : { authorization: `Bearer ${session.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.any([session.signal, AbortSignal.timeout(TIMEOUT)]),
  });
  const text = await response.text();
  const answer = parseJson(text);
  if (response.ok) return answer;
  const parsed = ApiError.safeParse(answer);
  const sentence = parsed.success ? parsed.data.error : text.slice(0, 200);
  throw new ApiRefusal(`${describe(method, path)} returned ${response.status}: ${sentence}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A response whose shape differs from the spec is a bug in the service, and is reported as one. */
function understood<T>(shape: z.ZodType<T>, answer: unknown, operation: string): T {
  const parsed = shape.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new Error(`${operation} returned an unexpected response:\n${z.prettifyError(parsed.error)}`);
}

export type SuiteInput = { name: string; baseUrl: string; config: Record<string, unknown> };
export type RunInput = { targetBaseUrl: string; branch: string } | { runType: 'MANUAL' };

/** The calls that the demo makes. It uses the service only over HTTP. `signal` aborts the call in progress. */
export function createClient(session: Session) {
  const get = async <T>(path: string, shape: z.ZodType<T>) =>
    understood(shape, await send(session, 'GET', path), describe('GET', path));
  const post = async <T>(path: string, shape: z.ZodType<T>, body?: unknown) =>
    understood(shape, await send(session, 'POST', path, body), describe('POST', path));

  return {
    createSuite: (input: SuiteInput) => post('/test-suites', Suite, input),
    crawl: (suiteId: string) => post(`/test-suites/${suiteId}/crawl`, Message),
    pages: (suiteId: string) => get(`/test-suites/${suiteId}/pages`, SitePages),
    addPage: (suiteId: string, path: string) => post(`/test-suites/${suiteId}/pages`, z.unknown(), { path }),
    async track(suiteId: string, pageIds: string[]) {
      await send(session, 'PATCH', `/test-suites/${suiteId}/pages`, { action: 'track', pageIds });
    },
    startRun: (suiteId: string, input: RunInput) => post(`/test-suites/${suiteId}/run`, Started, input),
    run: (runId: string) => get(`/test-runs/${runId}`, TestRun),
    logs: (runId: string) => get(`/test-runs/${runId}/logs`, Logs),
    signInLink: () => post('/auth/sign-in-link', SignInLink),
    baselines: (suiteId: string) => get(`/baselines?testSuiteId=${suiteId}`, Baselines),
    /** Null if the URL returns a PNG, otherwise what is wrong with it. */
    async imageProblem(address: string): Promise<string | null> {
      const response = await fetch(address, {
        headers: { authorization: `Bearer ${session.token}` },
        signal: AbortSignal.any([session.signal, AbortSignal.timeout(TIMEOUT)]),
      });
      const type = response.headers.get('content-type');
      await response.body?.cancel();
      return response.ok && type === 'image/png' ? null : `${address} returned ${response.status} ${type}`;
    },
  };
}

export type Client = ReturnType<typeof createClient>;

export type Account = { email: string; password: string };

/** Registers an account and returns its token. */
export async function register(service: string, account: Account, signal: AbortSignal): Promise<string> {
  const session: Session = { service, token: null, signal };
  const answer = await send(session, 'POST', '/auth/register', { ...account, name: 'Demo' });
  return understood(Auth, answer, 'POST /api/auth/register').token;
}

import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import jwt from 'jsonwebtoken';
import type { z } from 'zod';
import { ANSWERS, refused, type Answer } from './github-answers.ts';
import { APP_ENVIRONMENT, OAUTH, PRIVATE_KEY } from './github-app.ts';
import type { Fault } from './github-faults.ts';
import { recognize, type Operation } from './github-operations.ts';
import { newWorld, type GitHubWorld, type Person } from './github-world.ts';

type Asked = { operation: string; method: string; path: string; status: number | Fault['kind'] };

export type GitHubStandIn = {
  /** The environment variables with which a service uses this as its GitHub. */
  environment: Record<string, string>;
  origin: string;
  world: GitHubWorld;
  asked: Asked[];
  /** Requests that GitHub's documentation does not allow. A test expects none. */
  mistakes: string[];
  /** The next requests for that operation fail with these faults, one each. */
  fail(operation: string, ...faults: Fault[]): void;
  /** How many of these faults have not occurred yet. */
  faultsLeft(): number;
  /** Resolves once the condition holds. Checked after every request. The test's own time limit applies. */
  until(holds: (world: GitHubWorld) => boolean): Promise<void>;
  stop(): Promise<void>;
};

const LONGEST_JWT_SECONDS = 600;

type Request = { message: IncomingMessage; url: URL; text: string };

async function read(message: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return { message, url: new URL(message.url ?? '/', 'http://stand-in'), text: Buffer.concat(chunks).toString() };
}

function isApp(token: string): boolean {
  try {
    const claims = jwt.verify(token, createPublicKey(PRIVATE_KEY), { algorithms: ['RS256'] });
    if (typeof claims === 'string' || String(claims.iss) !== APP_ENVIRONMENT.APP_ID) return false;
    return (claims.exp ?? Infinity) - Date.now() / 1000 <= LONGEST_JWT_SECONDS;
  } catch {
    return false;
  }
}

/** Undefined: the caller may not send this request. */
function callerOf(world: GitHubWorld, { caller }: Operation, { message }: Request): Person | null | undefined {
  if (caller === 'anyone') return null;
  const [, token = ''] = /^(?:bearer|token) (.+)$/i.exec(message.headers.authorization ?? '') ?? [];
  if (caller === 'app') return isApp(token) ? null : undefined;
  const person = world.tokens.get(token);
  return caller === 'user' ? (person ?? undefined) : person === null ? null : undefined;
}

const problemsOf = (where: string, { error }: { error?: z.ZodError | undefined }) =>
  (error?.issues ?? []).map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);

function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** What is wrong with the parameters or the body of the request. */
function formProblems({ query, body, onWebHost }: Operation, { message, url, text }: Request, said: unknown): string[] {
  const { headers } = message;
  const problems = problemsOf('query', query.safeParse(Object.fromEntries(url.searchParams)));
  if (headers['user-agent'] === undefined) problems.push('there is no User-Agent');
  if (onWebHost !== true && headers['x-github-api-version'] !== '2022-11-28')
    problems.push('there is no X-GitHub-Api-Version');
  if (onWebHost !== true && !/json/.test(headers.accept ?? '')) problems.push('Accept does not ask for JSON');
  if (body === undefined) return text === '' ? problems : [...problems, 'a body is not taken'];
  if (text !== '' && headers['content-type']?.startsWith('application/json') !== true)
    problems.push('the body is not JSON');
  return [...problems, ...problemsOf('body', body.safeParse(said))];
}

function answerTo(
  github: GitHubStandIn,
  request: Request,
  operation: Operation,
  parameters: Record<string, string>,
): Answer {
  const { world, origin, mistakes } = github;
  const body = parseJson(request.text);
  const problems = formProblems(operation, request, body);
  if (problems.length > 0) {
    mistakes.push(`${operation.id}: ${problems.join('; ')}`);
    return refused(422, `Invalid request. ${problems.join('; ')}`);
  }
  const person = callerOf(world, operation, request);
  if (person === undefined) return refused(401, 'Bad credentials');
  const query = Object.fromEntries(request.url.searchParams);
  return (
    ANSWERS[operation.id]?.(world, { origin, parameters, query, headers: request.message.headers, body, person }) ??
    refused(404, 'Not Found')
  );
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer, cut = false): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-github-request-id': 'STAND:IN',
    ...headers,
  });
  if (cut) response.write(text.slice(0, text.length / 2), () => response.destroy());
  else response.end(text);
}

type Faults = Map<string, Fault[]>;

/** Responds, or fails as the test wants. */
function handle(github: GitHubStandIn, faults: Faults, request: Request, response: ServerResponse): void {
  const { method = 'GET' } = request.message;
  const { pathname } = request.url;
  const found = recognize(method, pathname);
  if (found === null) {
    github.mistakes.push(`${method} ${pathname} is not an operation that is known`);
    send(response, refused(404, 'Not Found'));
    return;
  }
  const { operation, parameters } = found;
  const fault = faults.get(operation.id)?.shift();
  const note = (status: Asked['status']) =>
    github.asked.push({ operation: operation.id, method, path: pathname, status });
  if (fault?.kind === 'silence' || fault?.kind === 'drop') {
    note(fault.kind);
    if (fault.kind === 'drop') response.destroy();
    return;
  }
  if (fault?.kind === 'answer') {
    note(fault.status);
    send(response, { ...refused(fault.status, fault.message), headers: fault.headers });
    return;
  }
  const answer = answerTo(github, request, operation, parameters);
  note(fault?.kind ?? answer.status);
  if (fault?.kind === 'lost') response.destroy();
  else send(response, answer, fault?.kind === 'cut');
}

/**
 * Replaces a GitHub Enterprise Server, on loopback, with one repository. It has the operations that the service uses,
 * and is strict about callers and requests. It records requests, and fails when a test wants it to.
 */
export async function startGitHubStandIn(): Promise<GitHubStandIn> {
  const faults: Faults = new Map();
  const waiting = new Set<() => void>();
  const server = createServer((message, response) => {
    void read(message).then(
      (request) => {
        handle(github, faults, request, response);
        for (const look of waiting) look();
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stand-in has no port');
  const host = `127.0.0.1:${address.port}`;

  const github: GitHubStandIn = {
    environment: { ...APP_ENVIRONMENT, ...OAUTH, GHE_HOST: host, GHE_PROTOCOL: 'http' },
    origin: `http://${host}`,
    world: newWorld(),
    asked: [],
    mistakes: [],
    fail(operation, ...wanted) {
      faults.set(operation, [...(faults.get(operation) ?? []), ...wanted]);
    },
    faultsLeft: () => [...faults.values()].flat().length,
    async until(holds) {
      await new Promise<void>((resolve) => {
        const look = () => {
          if (!holds(github.world)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return github;
}

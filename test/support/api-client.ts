import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { createApi } from '../../src/api/create-api.ts';
import { register } from '../../src/auth/register.ts';
import type { User } from '../../src/auth/user.ts';
import { composeContext } from '../../src/compose.ts';
import { readConfig, type Config } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { webhookReceiver } from '../../src/github/webhooks/webhook-receiver.ts';
import { createApp } from '../../src/http/create-app.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { webhooksRouter } from '../../src/http/webhooks.ts';
import { createLogger } from '../../src/logger.ts';
import { createMcp } from '../../src/mcp/create-mcp.ts';
import { figureReaders } from '../../src/start/read-figures.ts';
import { createWeb } from '../../src/web/create-web.ts';
import { assertDocumented } from './api-contract.ts';
import { createTestDatabase } from './database.ts';

export type Answer = {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, otherwise text. */
  // A test reads the fields that it expects.
  body: any;
};

/** How a request failed: the status, and the code in the answer. */
export const codeOf = ({ status, body }: Answer) => [status, body.details?.code];

export type Sent = {
  token?: string | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. Set its content type in `headers`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
};

export type Account = { user: User; token: string };

export type TestApi = {
  /** Its `db` is plain knex, so tests can query any table in any way. */
  ctx: Omit<Context, 'db'> & { db: Knex };
  url: string;
  /** Moves the service's clock. */
  advance(milliseconds: number): void;
  /** An account created without the API, because the API limits how often one can register. */
  account(name?: string): Promise<Account>;
  /** Every response is checked against the OpenAPI document. */
  request(method: string, path: string, sent?: Sent): Promise<Answer>;
  stop(): Promise<void>;
};

const FAST_BCRYPT = 4;
export const PASSWORD = 'correct horse battery';

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  return text !== '' && /json\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

async function send(url: string, method: string, sent: Sent): Promise<Response> {
  const { token, body, raw, headers } = sent;
  return fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: Buffer.from(raw) }),
  });
}

/** The real app with its own port and database. No worker runs. */
export async function startTestApi(
  environment: Record<string, string> = {},
  change: (ctx: Context) => Context = (ctx) => ctx,
): Promise<TestApi> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-api-'));
  const config: Config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...environment });
  const composed = await composeContext(config, database.url, createLogger(config.logLevel));
  let shift = 0;
  const clock = { now: () => new Date(Date.now() + shift) };
  const ctx = change({ ...composed.ctx, clock });
  const app = createApp(ctx, {
    metrics: createMetrics(figureReaders(ctx)),
    capture: null,
    api: createApi(ctx),
    webhooks: webhooksRouter(webhookReceiver(ctx)),
    mcp: createMcp(ctx),
    web: await createWeb(ctx),
  });
  // Like the service. After the usual 5 s, a busy client may send on a connection that is being closed.
  const server = createServer({ keepAliveTimeout: 75_000 }, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let accounts = 0;

  return {
    ctx: { ...ctx, db: database.db },
    url,
    advance(milliseconds) {
      shift += milliseconds;
    },
    async account(name = 'person') {
      accounts += 1;
      return register(ctx, { email: `${name}-${accounts}@example.com`, password: PASSWORD, name }, FAST_BCRYPT);
    },
    async request(method, address, sent = {}) {
      const response = await send(url + address, method, sent);
      const body = await readAnswer(response);
      const [pathname = ''] = address.split('?');
      if (method !== 'HEAD') assertDocumented(method, pathname, response.status, body);
      return { status: response.status, headers: response.headers, body };
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await composed.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

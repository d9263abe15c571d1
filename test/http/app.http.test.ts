import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requireJwtSecret } from '../../src/auth/jwt-secret.ts';
import { issueToken } from '../../src/auth/sessions/session.ts';
import { connect } from '../../src/db/connect.ts';
import { createWorkerApp } from '../../src/http/create-app.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createLogger } from '../../src/logger.ts';
import { serve } from '../../src/start/serve-web.ts';
import { startTestApi, type TestApi } from '../support/api-client.ts';
import { memoryLog } from '../support/memory-log.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => {
  await api.stop();
});

const ID = '11111111-1111-4111-8111-111111111111';
const SUBJECT = { userId: ID, sessionVersion: 1, sessionId: ID };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the front door', () => {
  it('leads whoever is not signed in to the sign-in', async () => {
    const answer = await fetch(`${api.url}/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in']);
  });
});

describe('a body', () => {
  it('that is malformed JSON is refused', async () => {
    const answer = await api.request('POST', '/api/auth/login', { raw: '{"email":', headers: JSON_TYPE });
    expect(answer).toMatchObject({ status: 400, body: { details: { code: 'malformed_json' } } });
  });

  it('that is no object is refused', async () => {
    for (const raw of ['null', '3', '"text"']) {
      const answer = await api.request('POST', '/api/auth/login', { raw, headers: JSON_TYPE });
      expect(answer.status).toBe(400);
    }
    expect((await api.request('POST', '/api/auth/login', { body: [] })).status).toBe(400);
  });

  it('over 1 MiB is refused', async () => {
    const answer = await api.request('POST', '/api/auth/login', { body: { email: 'x'.repeat(1024 * 1024) } });
    expect(answer).toMatchObject({ status: 413, body: { details: { code: 'payload_too_large' } } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of type %s is refused',
    async (type) => {
      const answer = await api.request('POST', '/api/auth/login', { raw: 'a=b', headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 415, body: { details: { code: 'unsupported_media_type' } } });
    },
  );

  it('in an unknown charset or encoding is refused', async () => {
    const charset = { 'content-type': 'application/json; charset=koi8-r' };
    expect((await api.request('POST', '/api/auth/login', { raw: '{}', headers: charset })).status).toBe(415);
    const encoding = { ...JSON_TYPE, 'content-encoding': 'snappy' };
    expect((await api.request('POST', '/api/auth/login', { raw: '{}', headers: encoding })).status).toBe(415);
  });

  it('that is missing is an empty one: each missing field is named', async () => {
    const answer = await api.request('POST', '/api/auth/login');
    expect(answer.status).toBe(400);
    expect(answer.body.details.issues.map((issue: { path: string }) => issue.path)).toEqual(['email', 'password']);
  });

  it('with NUL or half a surrogate pair in a text is refused by field', async () => {
    const { token } = await api.account();
    for (const name of ['a\0b', 'a\ud800b']) {
      const body = { name, baseUrl: 'http://site.test' };
      const answer = await api.request('POST', '/api/test-suites', { token, body });
      expect(answer).toMatchObject({ status: 400, body: { details: { issues: [{ path: 'name' }] } } });
    }
  });
});

describe('an address', () => {
  it('that is not there is an ApiError', async () => {
    for (const path of ['/api/nothing', '/nothing', '/api', '/files/']) {
      expect(await api.request('GET', path)).toMatchObject({ status: 404, body: { details: { code: 'not_found' } } });
    }
  });

  it('that is badly encoded is refused', async () => {
    const { token } = await api.account();
    const answer = await api.request('GET', '/api/test-suites/%E0%A4%A', { token });
    expect(answer).toMatchObject({ status: 400, body: { details: { code: 'bad_request' } } });
  });

  it('with an id that is none is refused', async () => {
    const { token } = await api.account();
    const answer = await api.request('GET', '/api/test-suites/42', { token });
    expect(answer).toMatchObject({ status: 400, body: { details: { issues: [{ path: 'id' }] } } });
  });

  it('may write an id in capitals', async () => {
    const { token } = await api.account();
    const body = { name: 'Site', baseUrl: 'http://site.test' };
    const { id } = (await api.request('POST', '/api/test-suites', { token, body })).body;
    const answer = await api.request('GET', `/api/test-suites/${id.toUpperCase()}`, { token });
    expect([answer.status, answer.body.id]).toEqual([200, id]);
  });

  it('with NUL in its query is refused', async () => {
    const { token } = await api.account();
    const path = '/api/baseline-versions?suiteId=00000000-0000-4000-8000-000000000000&path=%00';
    expect(await api.request('GET', path, { token })).toMatchObject({
      status: 400,
      body: { details: { issues: [{ path: 'path' }] } },
    });
  });

  it('that is there for other methods says which', async () => {
    const answer = await api.request('PUT', '/api/test-suites');
    expect(answer).toMatchObject({ status: 405, body: { details: { code: 'method_not_allowed' } } });
    expect(answer.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
    const options = await api.request('OPTIONS', '/api/test-suites');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS']);
  });

  it('that takes GET takes HEAD', async () => {
    const answer = await api.request('HEAD', '/api/openapi.json');
    expect([answer.status, answer.body]).toEqual([200, '']);
  });
});

describe('every answer', () => {
  it('lets only our own scripts run and is not guessed at', async () => {
    const { headers } = await api.request('GET', '/api/openapi.json');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('carries the id of its request', async () => {
    const sent = await api.request('GET', '/healthz', { headers: { 'x-request-id': 'abc-123' } });
    expect(sent.headers.get('x-request-id')).toBe('abc-123');
    const made = await api.request('GET', '/healthz', { headers: { 'x-request-id': 'not an id' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('serves the schema of the configuration file to any editor', async () => {
    const answer = await api.request('GET', '/schema.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const schema: unknown = typeof answer.body === 'string' ? JSON.parse(answer.body) : answer.body;
    expect(schema).toMatchObject({
      properties: { threshold: {}, $schema: {}, suites: {} },
      additionalProperties: false,
    });
  });
});

describe('health', () => {
  it('tells that the process lives and that its parts answer', async () => {
    expect(await api.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await api.request('GET', '/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { database: 'ok', storage: 'ok' } },
    });
  });

  it('is not ready with a schema of another version', async () => {
    const newer = await startTestApi();
    try {
      await newer.ctx.db('migrations').insert({ name: '999-of-a-newer-version' });
      const answer = await newer.request('GET', '/readyz');
      expect(answer.status).toBe(503);
      expect(answer.body.details.checks).toEqual({ database: 'failed', storage: 'ok' });
      expect((await newer.request('GET', '/healthz')).status).toBe(200);
    } finally {
      await newer.stop();
    }
  });

  it('of a worker tells whether it can capture', async () => {
    let reason: string | null = 'jobs wait for: browser';
    const capture = async () => {
      if (reason !== null) throw new Error(reason);
    };
    const app = createWorkerApp(api.ctx, { metrics: createMetrics([]), capture });
    const { url, stop } = await serve(app, { host: '127.0.0.1', port: 0 });
    try {
      const answer = await fetch(`${url}/readyz`);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        error: 'Not ready: capture unavailable',
        details: { checks: { database: 'ok', storage: 'ok', capture: 'failed' } },
      });
      reason = null;
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect((await fetch(`${url}/metrics`)).status).toBe(200);
      for (const path of ['/', '/api/openapi.json', '/sign-in']) expect((await fetch(url + path)).status).toBe(404);
    } finally {
      await stop();
    }
  });

  it('names the part that is away, and logs why', async () => {
    const log = memoryLog();
    const failing = await startTestApi({}, (ctx) => ({
      ...ctx,
      log: log.logger,
      storage: { ...ctx.storage, check: async () => Promise.reject(new Error('no such bucket')) },
    }));
    try {
      const answer = await failing.request('GET', '/readyz');
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(answer.body.details.checks).toEqual({ database: 'ok', storage: 'failed' });
      expect(JSON.stringify(answer.body)).not.toContain('bucket');
      expect(log.failures()).toEqual([{ level: 'warn', text: expect.stringContaining('storage: no such bucket') }]);
    } finally {
      await failing.stop();
    }
  });
});

describe('without its database', () => {
  it.each(['/api/auth/me', '/account'])('a failure of %s is logged once, as a warning', async (path) => {
    const log = memoryLog();
    const away = connect('postgres://127.0.0.1:1/nothing', { maxConnections: 1, log: createLogger('silent') });
    const lost = await startTestApi({}, (ctx) => ({ ...ctx, db: away, log: log.logger }));
    try {
      const token = issueToken(requireJwtSecret(lost.ctx.config), SUBJECT, 60_000, lost.ctx.clock.now());
      const answer = await lost.request('GET', path, { token, headers: { accept: 'text/html' } });
      expect(answer.status).toBe(503);
      expect(log.failures()).toEqual([{ level: 'warn', text: expect.stringContaining('ECONNREFUSED') }]);
    } finally {
      await away.destroy();
      await lost.stop();
    }
  });

  it('the service says so, and that it lives', async () => {
    const away = connect('postgres://127.0.0.1:1/nothing', { maxConnections: 1, log: createLogger('silent') });
    const lost = await startTestApi({}, (ctx) => ({ ...ctx, db: away }));
    try {
      const limited = { body: { email: 'a@example.com', password: 'whatever it is' } };
      for (const answer of [
        await lost.request('GET', '/api/auth/me', {
          token: issueToken(requireJwtSecret(lost.ctx.config), SUBJECT, 60_000, lost.ctx.clock.now()),
        }),
        await lost.request('POST', '/api/auth/login', limited),
      ]) {
        expect(answer).toMatchObject({ status: 503, body: { details: { code: 'unavailable' } } });
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|ECONN/);
      }
      expect((await lost.request('GET', '/healthz')).status).toBe(200);
      expect((await lost.request('GET', '/readyz')).body.details.checks).toEqual({ database: 'failed', storage: 'ok' });
      expect((await lost.request('GET', '/metrics')).status).toBe(200);
      expect((await lost.request('GET', '/api/openapi.json')).status).toBe(200);
    } finally {
      await away.destroy();
      await lost.stop();
    }
  });
});

describe('metrics', () => {
  it('time requests by the template that answered', async () => {
    const { token } = await api.account();
    await api.request('GET', '/api/test-suites/00000000-0000-0000-0000-000000000000', { token });
    const { body } = await api.request('GET', '/metrics');
    expect(body).toContain('route="/api/test-suites/:id",status="404"');
    expect(body).toContain('pixelgate_queue_jobs{state="ready"} 0');
    expect(body).toContain('process_cpu_seconds_total');
    await api.request('GET', '/healthz');
    expect((await api.request('GET', '/metrics')).body).toContain('route="/healthz",status="200"');
  });

  it('tell what an operator alerts on', async () => {
    await api.ctx.db('webhook_deliveries').insert({
      id: 'waits',
      event: 'push',
      subject: 'a/b',
      received_at: new Date(Date.now() - 3_600_000),
    });
    const { body } = await api.request('GET', '/metrics');
    const read = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(body)?.[1]);
    expect(Math.floor(read('pixelgate_webhook_lag_seconds') / 3600)).toBe(1);
    expect(read('pixelgate_queue_age_seconds')).toBe(0);
    expect(read('pixelgate_workers_wanted')).toBe(0);
    expect(read('pixelgate_database_bytes')).toBeGreaterThan(1_000_000);
    expect(read('pixelgate_queue_screenshots{state="waiting"}')).toBe(0);
  });

  it('of a web process do not tell how many workers are wanted: it does not know what one can do', async () => {
    const database = { DATABASE_URL: 'postgres://127.0.0.1/not-used' };
    const web = await startTestApi({ ROLE: 'web', ...database });
    try {
      expect((await web.request('GET', '/metrics')).body).not.toMatch(/^pixelgate_workers_wanted /m);
    } finally {
      await web.stop();
    }
  });

  it('tell what the disk has used and has left, once there are files', async () => {
    await api.ctx.storage.put('suites/one/object', Buffer.from('bytes'));
    const { body } = await api.request('GET', '/metrics');
    for (const state of ['used', 'free'])
      expect(body).toMatch(new RegExp(`pixelgate_storage_bytes{state="${state}"} \\d`));
  });
});

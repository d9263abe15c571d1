import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient, register } from '../../src/demo/api-client.ts';

type Answer = { status: number; type?: string; body: string };

const never = new AbortController().signal;
const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });

describe('the client of the demo', () => {
  let server: Server;
  let service = '';
  let answer: Answer = json(200, {});
  let asked: IncomingMessage[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request);
      response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' }).end(answer.body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    service = `http://127.0.0.1:${address.port}`;
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const client = (signal = never) => createClient({ service, token: 'secret', signal });

  it('shows its token', async () => {
    answer = json(202, { message: 'ok' });
    await client().crawl('s1');
    expect(asked.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['POST', '/api/test-suites/s1/crawl', 'Bearer secret'],
    ]);
  });

  it('passes on the sentence with which the API refuses', async () => {
    answer = json(409, { error: 'A crawl is queued already', details: { code: 'crawl_queued' } });
    await expect(client().crawl('s1')).rejects.toThrow(
      'POST /api/test-suites/s1/crawl returned 409: A crawl is queued already',
    );
  });

  it('tells what a failure said that is no API error', async () => {
    answer = { status: 502, type: 'text/html', body: '<h1>Bad gateway</h1>' };
    await expect(client().run('r1')).rejects.toThrow('GET /api/test-runs/r1 returned 502: <h1>Bad gateway</h1>');
  });

  it('names the field of an answer that is not of the shape of the spec', async () => {
    answer = json(201, { user: { email: 'a@b.example' } });
    const account = { email: 'a@b.example', password: 'a long enough one' };
    await expect(register(service, account, never)).rejects.toThrow(
      /POST \/api\/auth\/register returned an unexpected response:[^]*token/,
    );
  });

  it('takes an address for an image only when it answers with one', async () => {
    answer = { status: 200, type: 'image/png', body: 'png' };
    expect(await client().imageProblem(`${service}/files/a.png`)).toBeNull();
    answer = json(404, { error: 'The image was not found' });
    expect(await client().imageProblem(`${service}/files/a.png`)).toBe(
      `${service}/files/a.png returned 404 application/json`,
    );
  });

  it('stops at once when the demo is interrupted', async () => {
    await expect(client(AbortSignal.abort()).run('r1')).rejects.toThrow(/aborted/);
    expect(asked).toEqual([]);
  });
});

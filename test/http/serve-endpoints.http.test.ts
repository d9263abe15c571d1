import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import express from 'express';
import type { Endpoint } from '../../src/http/endpoint.ts';
import type { Edge } from '../../src/http/serve-endpoints.ts';
import { serveEndpoints } from '../../src/http/serve-endpoints.ts';
import { startTestApi } from '../support/api-client.ts';
import type { TestApi } from '../support/api-client.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const ENDPOINTS: Endpoint[] = (['get', 'post'] as const).map((method) => ({ method, path: '/', access: 'anyone' }));

/** Sends a request and leaves as soon as it is being answered. The answer then asks the database. */
async function leave(method: string): Promise<'asked' | 'gave up'> {
  const client = new AbortController();
  const app = express();
  const ended = new Promise<'asked' | 'gave up'>((resolve) => {
    const edge: Edge<Endpoint> = {
      prepare: () => (_req, _res, next) => next(),
      before: () => [],
      label: (path) => path,
      refuseAnonymous: () => {},
      respond: async (_endpoint, { res }) => {
        const left = once(res, 'close');
        client.abort();
        await left;
        await api.ctx.db.raw('select 1').then(
          () => resolve('asked'),
          () => resolve('gave up'),
        );
      },
      recover: async () => false,
    };
    serveEndpoints(api.ctx, app, ENDPOINTS, edge);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(fetch(`http://127.0.0.1:${port}/`, { method, signal: client.signal })).rejects.toThrow('aborted');
  const outcome = await ended;
  server.close();
  server.closeAllConnections();
  return outcome;
}

it('asks the database nothing more for a client that has left, unless it is to change something', async () => {
  expect(await leave('GET')).toBe('gave up');
  expect(await leave('POST')).toBe('asked');
});

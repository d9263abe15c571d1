import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logger.ts';
import type { Lookup } from '../../src/net/checked-lookup.ts';
import { createNetwork } from '../../src/net/create-network.ts';
import { FetchError, type Network } from '../../src/net/network.ts';

const log = createLogger('silent');
const PAGE = '<!doctype html><title>Hello</title>'.repeat(50);
const ENCODED: Record<string, { encoding: string; bytes: Buffer }> = {
  '/gzip': { encoding: 'gzip', bytes: gzipSync(PAGE) },
  '/cut-gzip': { encoding: 'gzip', bytes: gzipSync(PAGE).subarray(0, -4) },
  '/br': { encoding: 'br', bytes: brotliCompressSync(PAGE) },
  '/deflate': { encoding: 'deflate', bytes: deflateSync(PAGE) },
  '/raw-deflate': { encoding: 'deflate', bytes: deflateRawSync(PAGE) },
  '/both': { encoding: 'gzip, br', bytes: brotliCompressSync(gzipSync(PAGE)) },
  '/zstd': { encoding: 'zstd', bytes: Buffer.from(PAGE) },
  '/none': { encoding: 'none', bytes: Buffer.from(PAGE) },
  '/bomb': { encoding: 'gzip', bytes: gzipSync(Buffer.alloc(50_000_000)) },
  '/lie': { encoding: 'gzip', bytes: Buffer.from(PAGE) },
};

let server: http.Server;
let origin: string;
let networks: Network[] = [];

function open(allowPrivateTargets: boolean, lookup?: Lookup): Network {
  const network = createNetwork({ allowPrivateTargets, log, ...(lookup === undefined ? {} : { lookup }) });
  networks.push(network);
  return network;
}

const get = (network: Network, url: string, options: { timeout?: number; maxBytes?: number } = {}) =>
  network.fetch({ url, userAgent: 'Pixelgate/test', timeout: 5000, maxBytes: 1_000_000, ...options });

const failureOf = async (promise: Promise<unknown>): Promise<FetchError> => {
  const error: unknown = await promise.catch((caught: unknown) => caught);
  if (!(error instanceof FetchError)) throw new Error('expected a FetchError', { cause: error });
  return error;
};

const answering =
  (...answers: string[]): Lookup =>
  (_hostname, _options, callback) => {
    const address = answers.length > 1 ? answers.shift() : answers[0];
    callback(null, [{ address: address ?? '', family: 4 }]);
  };

beforeAll(async () => {
  server = http.createServer((request, response) => {
    const encoded = ENCODED[request.url ?? ''];
    if (encoded !== undefined) response.setHeader('content-encoding', encoded.encoding).end(encoded.bytes);
    else if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end();
    else if (request.url === '/redirect-in-bytes') {
      response.writeHead(302, { location: Buffer.from('/caf\u00e9').toString('latin1') }).end();
    } else if (request.url === '/silent') response.flushHeaders();
    else if (request.url === '/hang-up') request.socket.destroy();
    else if (request.url === '/agent') response.end(request.headers['user-agent']);
    else if (request.url === '/endless') endless(response);
    else response.setHeader('x-two', ['a', 'b']).end('plain');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});

function endless(response: http.ServerResponse): void {
  const write = (): void => {
    while (response.write(Buffer.alloc(65_536, 'x')));
  };
  response.on('drain', write);
  write();
}

afterEach(async () => {
  await Promise.all(networks.map((network) => network.close()));
  networks = [];
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('fetch', () => {
  it.each(['/gzip', '/cut-gzip', '/br', '/deflate', '/raw-deflate', '/both', '/none'])('decodes %s', async (path) => {
    const answer = await get(open(true), origin + path);
    expect(answer).toMatchObject({ status: 200, truncated: false });
    expect(answer.body.toString()).toBe(PAGE);
  });

  it('refuses a body that only a browser could read', async () => {
    const failure = await failureOf(get(open(true), `${origin}/zstd`));
    expect(failure.message).toMatch(/^127\.0\.0\.1:\d+ could not be read$/);
  });

  it('cuts a body that is longer than asked for, also after decoding', async () => {
    const network = open(true);
    for (const path of ['/bomb', '/endless']) {
      const answer = await get(network, origin + path, { maxBytes: 1000 });
      expect(answer.truncated).toBe(true);
      expect(answer.body).toHaveLength(1000);
    }
  });

  it('reads no body that is not wanted', async () => {
    const network = open(true);
    const answer = await network.fetch({
      url: `${origin}/endless`,
      userAgent: 'a',
      timeout: 5000,
      maxBytes: 10,
      wantsBody: () => false,
    });
    expect(answer.body).toHaveLength(0);
    expect((await get(network, `${origin}/`)).body.toString()).toBe('plain');
  });

  it('leaves redirects to the caller, and joins repeated headers', async () => {
    const network = open(true);
    expect(await get(network, `${origin}/redirect`)).toMatchObject({
      status: 302,
      headers: { location: '/elsewhere' },
    });
    expect(await get(network, `${origin}/`)).toMatchObject({ headers: { 'x-two': 'a, b' } });
    expect((await get(network, `${origin}/agent`)).body.toString()).toBe('Pixelgate/test');
  });

  it('reads the bytes of an address that is not ASCII as browsers do', async () => {
    const { headers } = await get(open(true), `${origin}/redirect-in-bytes`);
    expect(headers['location']).toBe('/caf%C3%A9');
  });

  it('gives up on the whole exchange after the timeout', async () => {
    const failure = await failureOf(get(open(true), `${origin}/silent`, { timeout: 200 }));
    expect(failure).toMatchObject({ failure: 'timeout' });
    expect(failure.message).toMatch(/^127\.0\.0\.1:\d+ did not respond within 0\.2 seconds$/);
  });

  it('says in words what went wrong', async () => {
    const missing: Lookup = (_hostname, _options, callback) =>
      callback(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), []);
    const failures = await Promise.all([
      failureOf(get(open(false, missing), 'http://localhost/')),
      failureOf(get(open(true), 'http://127.0.0.1:1/')),
      failureOf(get(open(true), `${origin}/hang-up`)),
      failureOf(get(open(true), `${origin}/lie`)),
      failureOf(get(open(true), origin.replace('http:', 'https:'))),
      failureOf(get(open(true), 'ftp://example.test/')),
    ]);
    expect(failures.map(({ failure }) => failure)).toEqual([
      'not_found',
      'unreachable',
      'unreachable',
      'protocol',
      'protocol',
      'refused_target',
    ]);
    expect(failures[0]?.message).toBe('The host localhost could not be found');
    expect(failures[1]?.message).toBe('127.0.0.1:1 refused the connection');
  });

  it('refuses private targets by their spelling and by what their name resolves to', async () => {
    const network = open(false, answering('127.0.0.1'));
    for (const url of [`${origin}/`, 'http://[::ffff:127.0.0.1]/', 'http://2130706433/', 'http://localhost/']) {
      expect(await failureOf(get(network, url))).toMatchObject({ failure: 'refused_target' });
    }
  });
});

describe('assertAllowed', () => {
  it('takes only http(s) addresses on the public Internet', async () => {
    const network = open(false, answering('8.8.8.8'));
    await expect(network.assertAllowed('https://example.test/')).resolves.toBeUndefined();
    for (const url of ['http://127.0.0.1/', 'http://[::1]:8080/', 'file:///etc/passwd', 'nonsense']) {
      await expect(network.assertAllowed(url)).rejects.toMatchObject({
        kind: 'unprocessable',
        details: { code: 'target_not_allowed' },
      });
    }
  });

  it('looks no name up, so that nobody learns which names there are in the private network', async () => {
    const never: Lookup = () => {
      throw new Error('looked up');
    };
    await expect(open(false, never).assertAllowed('http://intern.test/')).resolves.toBeUndefined();
    for (const host of ['localhost', 'a.localhost.', 'postgres', 'metadata.google.internal', 'printer.local']) {
      await expect(open(false, never).assertAllowed(`http://${host}/`)).rejects.toMatchObject({
        details: { code: 'target_not_allowed' },
      });
    }
  });

  it('leaves it to the connection to check what a name resolves to', async () => {
    const network = open(false, answering('127.0.0.1'));
    expect(await failureOf(get(network, 'http://localhost/'))).toMatchObject({ failure: 'refused_target' });
  });

  it('allows loopback where private targets are allowed', async () => {
    await expect(open(true).assertAllowed(origin)).resolves.toBeUndefined();
    await expect(open(true).assertAllowed('ftp://example.test/')).rejects.toMatchObject({ kind: 'unprocessable' });
  });
});

describe('proxyUrl', () => {
  const through = async (proxy: string, url: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(proxy);
      http
        .get({ hostname, port, path: url, headers: { host: new URL(url).host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject);
    });

  const tunnel = async (proxy: string, target: string): Promise<number | undefined> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(proxy);
      const request = http.request({ hostname, port, method: 'CONNECT', path: target });
      request.on('connect', (response, socket) => {
        socket.destroy();
        resolve(response.statusCode);
      });
      request.on('error', () => resolve(undefined));
      request.end();
    });

  it('is null where every address is allowed', async () => {
    expect(await open(true).proxyUrl()).toBeNull();
  });

  it('leads to a proxy that refuses what is not public, in requests and in tunnels', async () => {
    const network = open(false, answering('127.0.0.1'));
    const proxy = (await network.proxyUrl()) ?? '';
    expect(await network.proxyUrl()).toBe(proxy);
    expect(await through(proxy, `${origin}/`)).toBe(403);
    expect(await through(proxy, 'http://localhost/')).toBe(403);
    expect(await tunnel(proxy, origin.replace('http://', ''))).toBe(403);
    expect(await tunnel(proxy, 'localhost:443')).toBe(403);
    expect(await tunnel(proxy, '[::1]:443')).toBe(403);
  });

  it('checks again at the connection', async () => {
    const network = open(false, answering('8.8.8.8', '127.0.0.1'));
    const proxy = (await network.proxyUrl()) ?? '';
    expect(await tunnel(proxy, `localhost:${new URL(origin).port}`)).not.toBe(200);
  });
});

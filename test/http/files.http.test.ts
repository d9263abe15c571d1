import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requireJwtSecret } from '../../src/auth/jwt-secret.ts';
import { AppError } from '../../src/errors.ts';
import { imageName } from '../../src/storage/object-name.ts';
import { signObject } from '../../src/storage/signed-address.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createSuite } from '../../src/suites/suite-life.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';

const BYTES = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));

let api: TestApi;
let owner: Account;
let name: string;
let path: string;
beforeAll(async () => {
  api = await startTestApi({ ALLOW_PRIVATE_TARGETS: 'true' });
  owner = await api.account('owner');
  const suite = await createSuite(api.ctx, owner.user, { name: 'Site', baseUrl: 'http://127.0.0.1:9' });
  name = imageName(suite.id, sha256Of(BYTES));
  path = `/files/${name}`;
  await api.ctx.storage.put(name, BYTES);
});
afterAll(async () => {
  await api.stop();
});

const fetchFile = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(api.url + path, { method, headers: { authorization: `Bearer ${owner.token}`, ...headers } });

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('an image', () => {
  it('is shown whole, to be kept for good', async () => {
    const response = await fetchFile();
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(BYTES);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '1000',
      'cache-control': 'private, max-age=31536000, immutable',
      etag: `"${sha256Of(BYTES)}"`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
  });

  it('is shown by the cookie too', async () => {
    const response = await fetch(api.url + path, { headers: { cookie: `pixelgate_session=${owner.token}` } });
    expect(response.status).toBe(200);
  });

  it('is told of without its bytes', async () => {
    const response = await fetchFile({}, 'HEAD');
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '1000']);
    expect(await bytesOf(response)).toHaveLength(0);
  });

  it('is not sent again to who has it', async () => {
    const response = await fetchFile({ 'if-none-match': `"${sha256Of(BYTES)}"` });
    expect(response.status).toBe(304);
    expect(await bytesOf(response)).toHaveLength(0);
  });

  it('is sent in part', async () => {
    const response = await fetchFile({ range: 'bytes=100-199' });
    expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 100-199/1000']);
    expect(await bytesOf(response)).toEqual(BYTES.subarray(100, 200));
  });

  it('is sent in part only if it is still the same', async () => {
    const range = 'bytes=-1';
    expect((await fetchFile({ range, 'if-range': `"${sha256Of(BYTES)}"` })).status).toBe(206);
    expect((await fetchFile({ range, 'if-range': '"other"' })).status).toBe(200);
  });

  it('has no bytes past its end', async () => {
    const response = await fetchFile({ range: 'bytes=1000-' });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    expect(await response.json()).toMatchObject({ details: { code: 'range_not_satisfiable' } });
  });

  it('can not be written', async () => {
    const response = await fetchFile({}, 'PUT');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('an image is shown only to', () => {
  it('those who may read its suite', async () => {
    const stranger = await api.account('stranger');
    expect((await api.request('GET', path)).status).toBe(401);
    expect((await api.request('GET', path, { token: stranger.token })).status).toBe(404);
  });

  it('them, and to nobody by a signature, which is for parts of images only', async () => {
    const expires = Math.floor(api.ctx.clock.now().getTime() / 1000) + 60;
    const signature = signObject(requireJwtSecret(api.ctx.config), name, expires);
    expect((await api.request('GET', `${path}?expires=${expires}&signature=${signature}`)).status).toBe(401);
  });
});

describe('a store that fails', () => {
  async function withStream(
    stream: Storage['stream'],
    check: (failing: TestApi, path: string, token: string) => Promise<void>,
  ) {
    const failing = await startTestApi({}, (ctx) => ({ ...ctx, storage: { ...ctx.storage, stream } }));
    try {
      const person = await failing.account();
      const suite = await createSuite(failing.ctx, person.user, { name: 'Site', baseUrl: 'http://127.0.0.1:9' });
      const stored = imageName(suite.id, sha256Of(BYTES));
      await failing.ctx.storage.put(stored, BYTES);
      await check(failing, `/files/${stored}`, person.token);
    } finally {
      await failing.stop();
    }
  }

  it('before the first byte is told as a failure, which nobody keeps', async () => {
    const away = async () => Promise.reject(new AppError('unavailable', 'The storage is away', { code: 'storage' }));
    await withStream(away, async (failing, address, token) => {
      const answer = await failing.request('GET', address, { token, headers: { range: 'bytes=0-1' } });
      expect(answer).toMatchObject({ status: 503, body: { details: { code: 'storage' } } });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-range')).toBeNull();
    });
  });

  it('half way cuts the answer, so that half an image is not taken for one', async () => {
    const half = async () =>
      Readable.from(
        (function* () {
          yield BYTES.subarray(0, 500);
          throw new Error('the disk is gone');
        })(),
      );
    await withStream(half, async (failing, address, token) => {
      const response = fetch(failing.url + address, { headers: { authorization: `Bearer ${token}` } });
      await expect(response.then(bytesOf)).rejects.toMatchObject({ name: 'TypeError' });
    });
  });
});

describe('a name that is no image', () => {
  it.each([
    '/files/suites/../../etc/passwd',
    '/files/..%2f..%2fetc%2fpasswd',
    '/files/jwt-secret',
    '/files/suites/x/y.png',
    '/files/%00',
  ])('%s is not there', async (address) => {
    expect((await api.request('GET', address, { token: owner.token })).status).toBe(404);
    expect([401, 404]).toContain((await api.request('GET', address)).status);
  });

  it('is not there when it is well-formed but was never stored', async () => {
    const missing = path.replace(/[0-9a-f]{64}/, '0'.repeat(64));
    expect((await api.request('GET', missing, { token: owner.token })).status).toBe(404);
  });
});

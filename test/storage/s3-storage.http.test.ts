import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStorage } from '../../src/storage/create-storage.ts';
import { createS3Storage } from '../../src/storage/s3-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { BUCKET, startS3Server } from './s3-server.ts';
import { itKeepsTheContract } from './storage-contract.ts';

const NAME = 'suites/one/image.png';
const UNAVAILABLE = {
  status: 'rejected',
  reason: expect.objectContaining({
    kind: 'unavailable',
    message: 'The image storage is unavailable right now',
    details: { code: 'storage_unavailable' },
  }),
};

let server: Awaited<ReturnType<typeof startS3Server>>;

beforeAll(async () => {
  server = await startS3Server();
});

afterAll(async () => {
  await server.stop();
});

const optionsFor = (endpoint: string, prefix = '', bucket = BUCKET) => ({
  bucket,
  endpoint,
  region: 'us-east-1',
  prefix,
  forcePathStyle: true,
});

describe('createS3Storage', () => {
  let storage: Storage;

  beforeAll(() => {
    storage = createS3Storage(optionsFor(server.endpoint, 'contract'));
  });

  itKeepsTheContract(
    () => storage,
    async (_, names) => {
      await storage.put('suites/copied/x.png', Buffer.from('x'));
      server.copyTo(
        'contract/suites/copied/x.png',
        names.map((name) => `contract/${name}`),
      );
    },
  );

  it('stays below its prefix', async () => {
    const [one, other, none] = ['one', '/other/', ''].map((prefix) =>
      createS3Storage(optionsFor(server.endpoint, prefix)),
    );
    await one?.put(NAME, Buffer.from('of one'));
    expect(await other?.get(NAME)).toBeNull();
    await other?.put(NAME, Buffer.from('of other'));
    expect(await none?.get(`other/${NAME}`)).toEqual(Buffer.from('of other'));
    await other?.removeAll('suites/one/');
    expect(await one?.get(NAME)).toEqual(Buffer.from('of one'));
    expect(await other?.get(NAME)).toBeNull();
  });

  it.each([
    ['suites/cdn/x.png', 'image/png'],
    ['suites/cdn/x.w96.webp', 'image/webp'],
    ['suites/cdn/x', 'application/octet-stream'],
  ])('says what the object %s is to whoever reads the bucket without us', async (name, type) => {
    await createS3Storage(optionsFor(server.endpoint)).put(name, Buffer.from('x'));
    const client = new S3Client({ endpoint: server.endpoint, region: 'us-east-1', forcePathStyle: true });
    const found = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: name }));
    expect(found).toMatchObject({ ContentType: type, CacheControl: 'public, max-age=31536000, immutable' });
    client.destroy();
  });

  it('counts an object as stored now when it is put once more after a long time', async () => {
    const [name, bytes] = ['suites/renewed/x.png', Buffer.from('x')];
    const renewing = createS3Storage(optionsFor(server.endpoint, 'renewing'));
    const lastYear = new Date(Date.now() - 365 * 86_400_000);
    await renewing.put(name, bytes);
    server.age(`renewing/${name}`, lastYear);
    await renewing.put(name, Buffer.from('y'));
    expect(await renewing.removeOlder(name, new Date(Date.now() - 86_400_000))).toBe(false);
    expect(await renewing.get(name)).toEqual(bytes);
    server.age(`renewing/${name}`, lastYear);
    expect(await renewing.removeOlder(name, new Date(Date.now() - 86_400_000))).toBe(true);
  });

  it('is what createStorage gives where a bucket is configured', async () => {
    const storage = await createStorage({ s3: optionsFor(server.endpoint, 'chosen'), dataDir: '/nowhere' });
    await storage.put(NAME, Buffer.from('x'));
    expect(await createS3Storage(optionsFor(server.endpoint, 'chosen')).stat(NAME)).toEqual({ size: 1 });
  });
});

const outcomesOf = (storage: Storage) =>
  Promise.allSettled([
    storage.put(NAME, Buffer.from('x')),
    storage.get(NAME),
    storage.removeAll('suites/one/'),
    storage.check(),
  ]);

const ALL_UNAVAILABLE = [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE];

async function listen(answer: http.RequestListener): Promise<{ endpoint: string; server: Server }> {
  const listening = http.createServer(answer);
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${address.port}`, server: listening };
}

async function stop(listening: Server): Promise<void> {
  listening.closeAllConnections();
  await new Promise((resolve) => listening.close(resolve));
}

const IMPATIENCE = { connect: 1000, idle: 100, attempts: 2 };

describe('An S3 server that can not be used', () => {
  it('is unavailable when nothing listens there', async () => {
    const { endpoint, server: gone } = await listen(() => undefined);
    await stop(gone);
    const storage = createS3Storage(optionsFor(endpoint), IMPATIENCE);
    expect(await outcomesOf(storage)).toEqual(ALL_UNAVAILABLE);
    expect(await Promise.allSettled([storage.stat(NAME), storage.stream(NAME)])).toEqual([UNAVAILABLE, UNAVAILABLE]);
  });

  it('is unavailable when it never answers', async () => {
    const { endpoint, server: silent } = await listen(() => undefined);
    expect(await outcomesOf(createS3Storage(optionsFor(endpoint), IMPATIENCE))).toEqual(ALL_UNAVAILABLE);
    await stop(silent);
  });

  it('is unavailable when it fails, after as many attempts as were allowed', async () => {
    let requests = 0;
    const { endpoint, server: failing } = await listen((_, res) => {
      requests += 1;
      res.writeHead(503).end();
    });
    expect(await Promise.allSettled([createS3Storage(optionsFor(endpoint), IMPATIENCE).get(NAME)])).toEqual([
      UNAVAILABLE,
    ]);
    expect(requests).toBe(2);
    await stop(failing);
  });

  it('is unavailable when it breaks off in the middle of an object', async () => {
    const { endpoint, server: broken } = await listen((_, res) => {
      res.writeHead(200, { 'Content-Length': '1000' });
      res.write('only the beginning', () => res.destroy());
    });
    expect(await Promise.allSettled([createS3Storage(optionsFor(endpoint), IMPATIENCE).get(NAME)])).toEqual([
      UNAVAILABLE,
    ]);
    await stop(broken);
  });

  it('is unavailable when there is no such bucket, which is not the same as no such object', async () => {
    expect(await outcomesOf(createS3Storage(optionsFor(server.endpoint, '', 'no-such-bucket')))).toEqual(
      ALL_UNAVAILABLE,
    );
  });

  it('is unavailable when it does not know the credentials', async () => {
    const { endpoint, server: closed } = await listen((_, res) => {
      res.writeHead(403, { 'Content-Type': 'application/xml' });
      res.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
    });
    expect(await outcomesOf(createS3Storage(optionsFor(endpoint), IMPATIENCE))).toEqual(ALL_UNAVAILABLE);
    await stop(closed);
  });
});

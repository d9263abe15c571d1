import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

// Node.js 20 is supported: what the AWS SDK says of its next version concerns no test.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

/*
 * A stand-in for S3 at its own protocol: what its REST API says of objects in one bucket, for what the SDK sends. It
 * knows no users, and takes every signature. Objects are in memory.
 */

export const BUCKET = 'images';

/** S3's own number. */
const LISTED_AT_ONCE = 1000;

type Held = { bytes: Buffer; storedAt: Date; headers: Record<string, string> };

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const tag = (name: string, ...contents: string[]) => `<${name}>${contents.join('')}</${name}>`;

const headersOf = ({ headers }: IncomingMessage) => ({
  'content-type': headers['content-type'] ?? 'binary/octet-stream',
  ...(headers['cache-control'] === undefined ? {} : { 'cache-control': headers['cache-control'] }),
});

/** The bytes that a `Range` header asks for. Null: all of them. */
function rangeOf({ headers }: IncomingMessage, { length }: Buffer): [start: number, end: number] | null {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  return start === undefined ? null : [Number(start), Math.min(Number(end), length - 1)];
}

export async function startS3Server() {
  const held = new Map<string, Held>();

  function find(key: string): Held {
    const found = held.get(key);
    if (found === undefined) throw new Error(`There is no ${key}`);
    return found;
  }

  const say = (response: ServerResponse, status: number, xml: string) =>
    response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
  const refuse = (response: ServerResponse, code: string) => say(response, 404, tag('Error', tag('Code', code)));

  function list(response: ServerResponse, query: URLSearchParams): void {
    const from = query.get('continuation-token') ?? '';
    const keys = [...held.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > from).toSorted();
    const listed = keys.slice(0, LISTED_AT_ONCE);
    const contents = listed.map((key) => {
      const { bytes, storedAt } = find(key);
      const size = tag('Size', String(bytes.length));
      return tag('Contents', tag('Key', escape(key)), tag('LastModified', storedAt.toISOString()), size);
    });
    const next = keys.length > listed.length ? [tag('NextContinuationToken', escape(listed.at(-1) ?? ''))] : [];
    const isTruncated = tag('IsTruncated', String(next.length > 0));
    say(response, 200, tag('ListBucketResult', isTruncated, ...next, ...contents));
  }

  function show(request: IncomingMessage, response: ServerResponse, { bytes, storedAt, headers }: Held): void {
    const range = rangeOf(request, bytes);
    const part = range === null ? bytes : bytes.subarray(range[0], range[1] + 1);
    response.writeHead(range === null ? 200 : 206, {
      ...headers,
      'content-length': part.length,
      'last-modified': storedAt.toUTCString(),
      ...(range === null ? {} : { 'content-range': `bytes ${range[0]}-${range[1]}/${bytes.length}` }),
    });
    response.end(request.method === 'HEAD' ? undefined : part);
  }

  async function put(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
    const source = request.headers['x-amz-copy-source'];
    const stored = { storedAt: new Date(), headers: headersOf(request) };
    if (source === undefined) {
      held.set(key, { bytes: await buffer(request), ...stored });
      response.writeHead(200).end();
      return;
    }
    const from = held.get(decodeURIComponent(String(source)).slice(`${BUCKET}/`.length));
    if (from === undefined) return void refuse(response, 'NoSuchKey');
    held.set(key, { bytes: from.bytes, ...stored });
    say(response, 200, tag('CopyObjectResult', tag('LastModified', stored.storedAt.toISOString())));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
    const [, bucket = '', ...segments] = pathname.split('/').map(decodeURIComponent);
    const key = segments.join('/');
    if (bucket !== BUCKET) return refuse(response, 'NoSuchBucket');
    if (key === '') return request.method === 'HEAD' ? response.writeHead(200).end() : list(response, searchParams);
    if (request.method === 'PUT') return put(request, response, key);
    const found = held.get(key);
    if (request.method === 'DELETE') {
      held.delete(key);
      return response.writeHead(204).end();
    }
    return found === undefined ? refuse(response, 'NoSuchKey') : show(request, response, found);
  }

  const server = http.createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Where the SDK looks for them.
  process.env['AWS_ACCESS_KEY_ID'] = 'anyone';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'any secret';

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Makes an object one that was stored then. */
    age(key: string, storedAt: Date): void {
      find(key).storedAt = storedAt;
    },
    /** Copies an object. To put a thousand, the SDK needs ten seconds. */
    copyTo(from: string, keys: string[]): void {
      for (const key of keys) held.set(key, { ...find(from) });
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

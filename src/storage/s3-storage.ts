import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type _Object,
  type GetObjectCommandOutput,
} from '@aws-sdk/client-s3';
import { splitIntoBatches } from '../async/batches.ts';
import { notFound } from '../errors.ts';
import {
  assertRange,
  objectName,
  objectPrefix,
  RENEWED_AFTER,
  unlessMissing,
  using,
  type ByteRange,
  type Storage,
  type StoredObject,
} from './storage.ts';

export type S3Options = {
  bucket: string;
  /** Null: Amazon S3. */
  endpoint: string | null;
  region: string;
  /** Put before every name, with one slash between them. Empty: no prefix. */
  prefix: string;
  /** Puts the bucket in the path instead of the host name. Most other servers need this. */
  forcePathStyle: boolean;
};

/**
 * `connect` and `idle` limit, in milliseconds, the wait for a connection and the time in which no byte moves.
 * `attempts` is the number of tries in total.
 */
export type S3Patience = { connect: number; idle: number; attempts: number };

const PATIENCE: S3Patience = { connect: 3000, idle: 20_000, attempts: 3 };

/** In milliseconds. A readiness check must not wait for a server that hangs. */
const CHECK_TIMEOUT = 5000;

const DELETES_AT_ONCE = 20;

const CONTENT_TYPES = new Map([
  ['.png', 'image/png'],
  ['.webp', 'image/webp'],
]);

type Bucket = { client: S3Client; bucket: string; keyOf: (name: string) => string };

function openBucket(options: S3Options, patience: S3Patience): Bucket {
  const prefix = options.prefix.split('/').filter(Boolean).join('/');
  const client = new S3Client({
    region: options.region,
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
    forcePathStyle: options.forcePathStyle,
    maxAttempts: patience.attempts,
    requestHandler: { connectionTimeout: patience.connect, socketTimeout: patience.idle },
    // Not all S3-compatible servers know the checksums that the SDK would add by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { client, bucket: options.bucket, keyOf: (name) => (prefix === '' ? name : `${prefix}/${name}`) };
}

/** A missing bucket is also answered with 404, which says nothing about an object. */
function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket';
}

type Found = { size: number; storedAt: Date | null };

async function find({ client, bucket, keyOf }: Bucket, name: string): Promise<Found | null> {
  const head = new HeadObjectCommand({ Bucket: bucket, Key: keyOf(name) });
  const found = await unlessMissing(isMissing, () => client.send(head));
  return found === null ? null : { size: found.ContentLength ?? 0, storedAt: found.LastModified ?? null };
}

async function readSize(bucket: Bucket, name: string): Promise<{ size: number } | null> {
  const found = await find(bucket, name);
  return found === null ? null : { size: found.size };
}

const isRecent = ({ storedAt }: Found) => storedAt !== null && Date.now() - storedAt.getTime() < RENEWED_AFTER;

const headersOf = (name: string) => ({
  // For clients that read the bucket directly: CDN_BASE_URL.
  ContentType: CONTENT_TYPES.get(name.slice(name.lastIndexOf('.'))) ?? 'application/octet-stream',
  CacheControl: 'public, max-age=31536000, immutable',
});

/** Copying an object onto itself makes it count as stored now. */
async function renew({ client, bucket, keyOf }: Bucket, name: string): Promise<void> {
  const source = [bucket, ...keyOf(name).split('/')].map(encodeURIComponent).join('/');
  const copy = { Bucket: bucket, Key: keyOf(name), CopySource: source, MetadataDirective: 'REPLACE' as const };
  await using(() => client.send(new CopyObjectCommand({ ...copy, ...headersOf(name) })));
}

/** S3 has no conditional removal, so some milliseconds pass between the two requests. */
async function removeOlder(bucket: Bucket, name: string, before: Date): Promise<boolean> {
  const found = await find(bucket, name);
  if (found === null || found.storedAt === null || found.storedAt >= before) return false;
  await using(() => removeKeys(bucket, [bucket.keyOf(name)]));
  return true;
}

async function write({ client, bucket, keyOf }: Bucket, name: string, bytes: Buffer): Promise<void> {
  const put = new PutObjectCommand({
    Bucket: bucket,
    Key: keyOf(name),
    Body: bytes,
    ContentLength: bytes.length,
    ...headersOf(name),
  });
  await using(() => client.send(put));
}

function openObject(
  { client, bucket, keyOf }: Bucket,
  name: string,
  range?: ByteRange,
): Promise<GetObjectCommandOutput> {
  const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
  return client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(name), ...part }));
}

async function read(bucket: Bucket, name: string): Promise<Buffer | null> {
  return unlessMissing(isMissing, async () => {
    const { Body } = await openObject(bucket, name);
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  });
}

async function stream(bucket: Bucket, name: string, range?: ByteRange): Promise<Readable> {
  if (range !== undefined) {
    const found = await readSize(bucket, name);
    if (found !== null) assertRange(range, found.size);
  }
  const opened = await unlessMissing(isMissing, () => openObject(bucket, name, range));
  if (opened === null) throw notFound('Stored object');
  if (opened.Body instanceof Readable) return opened.Body;
  throw new Error('The SDK did not return a Node stream');
}

/**
 * Deletes one by one. A bulk delete must carry a checksum, but servers disagree on which kind they accept, and some
 * have no bulk delete at all.
 */
async function removeKeys({ client, bucket }: Bucket, keys: string[]): Promise<void> {
  for (const some of splitIntoBatches(DELETES_AT_ONCE, keys)) {
    await Promise.all(some.map((key) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))));
  }
}

/** Every object whose name starts with the prefix, a thousand at a time. */
async function* readPages({ client, bucket, keyOf }: Bucket, prefix: string): AsyncGenerator<_Object[]> {
  let next: string | undefined;
  do {
    const list = new ListObjectsV2Command({
      Bucket: bucket,
      Prefix: keyOf(prefix),
      ...(next === undefined ? {} : { ContinuationToken: next }),
    });
    const page = await using(() => client.send(list));
    yield page.Contents ?? [];
    next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
}

async function* listAll(bucket: Bucket, prefix: string): AsyncGenerator<StoredObject> {
  const start = bucket.keyOf('').length;
  for await (const objects of readPages(bucket, prefix)) {
    for (const { Key, LastModified, Size } of objects) {
      if (Key === undefined) continue;
      yield { name: Key.slice(start), storedAt: LastModified ?? null, size: Size ?? 0 };
    }
  }
}

async function removeAll(bucket: Bucket, prefix: string): Promise<void> {
  for await (const objects of readPages(bucket, prefix)) {
    await using(() =>
      removeKeys(
        bucket,
        objects.flatMap(({ Key }) => Key ?? []),
      ),
    );
  }
}

/**
 * Stores objects in a bucket of S3 or of a compatible server, with the SDK's usual credentials. They must allow listing
 * the bucket. Otherwise S3 answers 403 for a missing object.
 */
export function createS3Storage(options: S3Options, patience: S3Patience = PATIENCE): Storage {
  const bucket = openBucket(options, patience);
  return {
    async put(name, bytes) {
      const found = await find(bucket, objectName(name));
      if (found === null || found.size < bytes.length) await write(bucket, name, bytes);
      else if (!isRecent(found)) await renew(bucket, name);
    },
    get: async (name) => read(bucket, objectName(name)),
    stat: async (name) => readSize(bucket, objectName(name)),
    stream: async (name, range) => stream(bucket, objectName(name), range),
    list: (prefix) => listAll(bucket, objectPrefix(prefix)),
    removeAll: async (prefix) => removeAll(bucket, objectPrefix(prefix)),
    removeOlder: async (name, before) => removeOlder(bucket, objectName(name), before),
    space: async () => null,
    async check() {
      const head = new HeadBucketCommand({ Bucket: bucket.bucket });
      await using(() => bucket.client.send(head, { abortSignal: AbortSignal.timeout(CHECK_TIMEOUT) }));
    },
  };
}

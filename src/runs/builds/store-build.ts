import { randomUUID } from 'node:crypto';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { requireOwnWork } from '../../access/authorized.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits } from '../../archives/archive.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { AppError, conflict, notFound } from '../../errors.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { buildFileName, buildListName } from '../../storage/object-name.ts';
import { keepSuite } from '../../suites/suite-store.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { sha256Of } from '../../text/sha256.ts';
import {
  findBuild,
  insertBuild,
  insertTwin,
  lockKeptBuilds,
  lockUploads,
  markExpired,
  markReady,
  removeStoring,
  type NewBuild,
} from './build-store.ts';
import { BUILD_QUOTA, chooseExpired, type Build } from './build.ts';

type StoreContext = Pick<Context, 'db' | 'storage' | 'log' | 'archives'>;

export type BuildInput = {
  stream: Readable;
  /** The size in bytes according to the request. Null: unknown. */
  length: number | null;
  headSha: string | null;
  /** Aborted when the client has left. */
  gone: AbortSignal;
};

type Bounds = { limits: ArchiveLimits; quota: typeof BUILD_QUOTA };
const BOUNDS: Bounds = { limits: ARCHIVE_LIMITS, quota: BUILD_QUOTA };

/** An archive that was received. */
type Upload = { fd: number; limits: ArchiveLimits; gone: AbortSignal };

/** Objects that are written at the same time, and their bytes, which are held in memory. */
const AT_ONCE = 16;
const BYTES_AT_ONCE = 64 * 1024 * 1024;

/**
 * How many archives of one person a process unpacks at the same time, because each holds files in memory. Others wait
 * on disk.
 */
const UNPACKED_AT_ONCE = 2;
const turns = new Map<string, { limit: ReturnType<typeof pLimit>; archives: number }>();

/** Nobody has to wait for all archives of another person. */
async function inTurnOf<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(userId) ?? { limit: pLimit(UNPACKED_AT_ONCE), archives: 0 };
  turns.set(userId, turn);
  turn.archives += 1;
  try {
    return await turn.limit(work);
  } finally {
    turn.archives -= 1;
    if (turn.archives === 0) turns.delete(userId);
  }
}

function tooLarge({ archive }: ArchiveLimits): AppError {
  return new AppError('payload_too_large', `The archive is larger than ${archive} bytes`, {
    code: 'payload_too_large',
  });
}

async function* atMost(stream: Readable, limits: ArchiveLimits): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of stream) {
    const part: Buffer = chunk;
    size += part.length;
    if (size > limits.archive) throw tooLarge(limits);
    yield part;
  }
}

/** The file has no name, so that the system frees it when it is closed, or when this process is killed. */
async function openUnnamed(): Promise<FileHandle> {
  const file = path.join(tmpdir(), `pixelgate-build-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600);
  await rm(file);
  return handle;
}

async function storeFiles(
  { storage, archives }: StoreContext,
  build: Build,
  { fd, limits, gone }: Upload,
  list: Buffer,
): Promise<void> {
  const writing = new Map<Promise<void>, number>();
  const hasRoomFor = (size: number) =>
    writing.size < AT_ONCE && [...writing.values()].reduce((sum, each) => sum + each, size) <= BYTES_AT_ONCE;
  try {
    for await (const { bytes, sha256 } of archives.read(fd, limits, gone)) {
      const name = buildFileName(build.testSuiteId, build.storedAs, sha256);
      while (writing.size > 0 && !hasRoomFor(bytes.length)) await Promise.race(writing.keys());
      const put = storage
        .put(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
        .finally(() => writing.delete(put));
      put.catch(() => undefined);
      writing.set(put, bytes.length);
    }
    await Promise.all(writing.keys());
    await storage.put(buildListName(build.testSuiteId, build.storedAs), list);
  } finally {
    await Promise.allSettled(writing.keys());
  }
}

/** Runs of pull requests may be waiting for a commit's build. */
async function announce(trx: Context['db'], { testSuiteId, headSha }: NewBuild): Promise<void> {
  if (headSha !== null) await enqueue(trx, 'use-build', { suiteId: testSuiteId, headSha });
}

/** @throws AppError conflict if needed builds leave no room. */
async function makeRoom(
  trx: Context['db'],
  { testSuiteId: suiteId, digest, bytes }: NewBuild,
  quota: Bounds['quota'],
): Promise<void> {
  await lockUploads(trx, suiteId);
  // Runs lock their build before their suite, so a stronger lock would be one that they and this wait for in a circle.
  if (!(await keepSuite(trx, suiteId))) throw notFound('Suite');
  const kept = await lockKeptBuilds(trx, suiteId);
  const isKept = kept.some((build) => build.digest === digest);
  const expired = chooseExpired(kept, isKept ? 0 : bytes, quota);
  if (expired === null) {
    throw conflict(
      'The runs in progress need all the room that the suite has for builds. Upload again when they have finished.',
      'build_quota',
    );
  }
  await markExpired(
    trx,
    expired.map(({ id }) => id),
  );
  for (const { storedAs } of expired) await enqueue(trx, 'remove-build-objects', { suiteId, storedAs });
}

/** A build with the same files shares their objects. `isStored`: there is nothing to store. */
async function addBuild(
  { db }: StoreContext,
  draft: NewBuild,
  quota: Bounds['quota'],
): Promise<{ build: Build; isStored: boolean }> {
  return inTransaction(db, async (trx) => {
    await makeRoom(trx, draft, quota);
    const twin = await insertTwin(trx, draft);
    if (twin === null) return { build: await insertBuild(trx, draft), isStored: false };
    await announce(trx, draft);
    return { build: twin, isStored: true };
  });
}

/**
 * Also removes objects that were stored for it, even if its row went with its suite meanwhile. If this fails, a sweep finds
 * them a day later.
 */
async function discard({ db, log }: StoreContext, { id, testSuiteId: suiteId, storedAs }: Build): Promise<void> {
  const discarding = inTransaction(db, async (trx) => {
    await removeStoring(trx, id);
    await enqueue(trx, 'remove-build-objects', { suiteId, storedAs });
  });
  await discarding.catch((error: unknown) => log.warn({ err: error, buildId: id }, 'could not discard a build'));
}

async function storeAll(ctx: StoreContext, build: Build, upload: Upload, draft: NewBuild, list: Buffer): Promise<void> {
  try {
    await storeFiles(ctx, build, upload, list);
    await inTransaction(ctx.db, async (trx) => {
      if (!(await markReady(trx, build.id))) throw conflict('The build took too long to store', 'build_swept');
      await announce(trx, draft);
    });
  } catch (error) {
    await discard(ctx, build);
    throw error;
  }
}

async function unpack(
  ctx: StoreContext,
  upload: Upload,
  by: Pick<NewBuild, 'testSuiteId' | 'headSha' | 'createdBy'>,
  quota: Bounds['quota'],
): Promise<Build> {
  const { list, files, bytes } = await ctx.archives.list(upload.fd, upload.limits, upload.gone);
  const listed = Buffer.from(list);
  const draft = { ...by, digest: sha256Of(listed), files, bytes };
  const { build, isStored } = await addBuild(ctx, draft, quota);
  if (!isStored) await storeAll(ctx, build, upload, draft, listed);
  const { testSuiteId: suiteId, createdBy: userId, headSha } = by;
  ctx.log.info({ buildId: build.id, suiteId, userId, bytes, headSha }, 'stored a build');
  return build;
}

/**
 * Takes an archive of a site (`.tar.gz` or `.zip`). It is streamed to disk, read once to check it and once more to
 * store it, so that nothing of a bad one is kept. A build with the same files as another shares their objects.
 * @throws AppError forbidden (a workflow's token for another commit); payload_too_large; `archive_refused` (422): see
 * `readArchive`; conflict `build_quota`. The reason of `gone`.
 */
export async function storeBuild(
  ctx: StoreContext,
  suite: SuiteFor<'suite.upload'>,
  { stream, length, headSha, gone }: BuildInput,
  { limits, quota }: Bounds = BOUNDS,
): Promise<Build> {
  requireOwnWork(suite.viewer, { headSha });
  if (length !== null && length > limits.archive) throw tooLarge(limits);
  const archive = await openUnnamed();
  try {
    await writeFile(archive, atMost(stream, limits));
    const by = { testSuiteId: suite.id, headSha, createdBy: suite.viewer.id };
    const upload = { fd: archive.fd, limits, gone };
    return await inTurnOf(suite.viewer.id, () => unpack(ctx, upload, by, quota));
  } catch (error) {
    gone.throwIfAborted();
    throw error;
  } finally {
    await archive.close();
  }
}

/** @throws AppError not_found, also for a build that is still being stored. */
export async function readBuild(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.read'>,
  id: string,
): Promise<Build> {
  const build = await findBuild(db, suite.id, id);
  if (build === null) throw notFound('Build');
  return build;
}

import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pLimit from 'p-limit';
import { requireOwnWork } from '../../access/authorized.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { AppError, conflict } from '../../errors.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { buildFileName, buildListName, sha256Of } from '../../storage/object-name.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import type { ArchiveLimits, Build, BuildFile } from './build.ts';
import { ARCHIVE_LIMITS } from './build.ts';
import { refused } from './build-path.ts';
import { insertBuild, insertTwin, markReady } from './build-store.ts';
import type { NewBuild } from './build-store.ts';
import { readArchive } from './read-archive.ts';

type StoreContext = Pick<Context, 'db' | 'storage' | 'log'>;

export type BuildInput = {
  stream: Readable;
  /** Bytes, as the request says. Null: not said. */
  length: number | null;
  headSha: string | null;
};

/** Objects that are written at the same time, and their bytes, which are held in memory. */
const AT_ONCE = 16;
const BYTES_AT_ONCE = 64 * 1024 * 1024;

/** Archives of one person that a process unpacks at the same time: each holds files in memory. Others wait on disk. */
const UNPACKED_AT_ONCE = 2;
const turns = new Map<string, { limit: ReturnType<typeof pLimit>; archives: number }>();

/** Nobody waits for the archives of others. */
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

/** What an archive has in it. Reads all of it once. */
async function listFiles(archive: string, limits: ArchiveLimits): Promise<{ files: BuildFile[]; bytes: number }> {
  const files: BuildFile[] = [];
  let total = 0;
  for await (const { path: name, bytes } of readArchive(archive, limits)) {
    files.push({ path: name, sha256: sha256Of(bytes) });
    total += bytes.length;
  }
  if (!files.some((file) => file.path.endsWith('.html'))) throw refused('it has no .html file');
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), bytes: total };
}

async function storeFiles({ storage }: StoreContext, build: Build, archive: string, files: BuildFile[]): Promise<void> {
  const writing = new Map<Promise<void>, number>();
  const hasRoomFor = (size: number) =>
    writing.size < AT_ONCE && [...writing.values()].reduce((sum, each) => sum + each, size) <= BYTES_AT_ONCE;
  for await (const { bytes } of readArchive(archive, ARCHIVE_LIMITS)) {
    const name = buildFileName(build.testSuiteId, build.storedAs, sha256Of(bytes));
    while (writing.size > 0 && !hasRoomFor(bytes.length)) await Promise.race(writing.keys());
    const put = storage.put(name, bytes).finally(() => writing.delete(put));
    put.catch(() => undefined);
    writing.set(put, bytes.length);
  }
  await Promise.all(writing.keys());
  const list = Buffer.from(JSON.stringify(files));
  await storage.put(buildListName(build.testSuiteId, build.storedAs), list);
}

/** A commit's build is what the runs of its pull requests wait for. */
async function announce(trx: Context['db'], { testSuiteId, headSha }: NewBuild): Promise<void> {
  if (headSha !== null) await enqueue(trx, 'use-build', { suiteId: testSuiteId, headSha });
}

async function storeArchive(ctx: StoreContext, archive: string, draft: NewBuild, files: BuildFile[]): Promise<Build> {
  const twin = await inTransaction(ctx.db, async (trx) => {
    const build = await insertTwin(trx, draft);
    if (build !== null) await announce(trx, draft);
    return build;
  });
  if (twin !== null) return twin;
  const build = await insertBuild(ctx.db, draft);
  await storeFiles(ctx, build, archive, files);
  await inTransaction(ctx.db, async (trx) => {
    if (!(await markReady(trx, build.id))) throw conflict('The build took too long to store', 'build_swept');
    await announce(trx, draft);
  });
  return build;
}

async function unpack(
  ctx: StoreContext,
  archive: string,
  by: Pick<NewBuild, 'testSuiteId' | 'headSha' | 'createdBy'>,
  limits: ArchiveLimits,
): Promise<Build> {
  const { files, bytes } = await listFiles(archive, limits);
  const digest = sha256Of(Buffer.from(JSON.stringify(files)));
  const build = await storeArchive(ctx, archive, { ...by, digest, files: files.length, bytes }, files);
  const { testSuiteId: suiteId, createdBy: userId, headSha } = by;
  ctx.log.info({ buildId: build.id, suiteId, userId, bytes, headSha }, 'stored a build');
  return build;
}

/**
 * Takes an archive of a site (`.tar.gz` or `.zip`). It is streamed to disk, read once to check it and once more to
 * store it, so that nothing of a bad one is kept. A build with the same files as another shares their objects.
 * @throws AppError forbidden (a workflow's token for another commit); payload_too_large; `archive_refused` (422): see `readArchive`.
 */
export async function storeBuild(
  ctx: StoreContext,
  suite: SuiteFor<'suite.upload'>,
  { stream, length, headSha }: BuildInput,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<Build> {
  requireOwnWork(suite.viewer, { headSha });
  if (length !== null && length > limits.archive) throw tooLarge(limits);
  const directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-build-'));
  try {
    const archive = path.join(directory, 'archive');
    await pipeline(atMost(stream, limits), createWriteStream(archive));
    const by = { testSuiteId: suite.id, headSha, createdBy: suite.viewer.id };
    return await inTurnOf(suite.viewer.id, () => unpack(ctx, archive, by, limits));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

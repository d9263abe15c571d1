import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { CopiedSchema, CopiedTable } from '../db/copy-database.ts';
import { errorMessage } from '../errors.ts';

/** Stops `restore`. The message is for the person who called it. */
export class BackupError extends Error {}

/** A gzip file of the backup. `file`: its path in the directory. `sha256`: of the file as it is. */
const PackedFile = z.object({ file: z.string().regex(/^database\/[\w.-]+\/[\w.-]+$/), sha256: z.string() });
type PackedFile = z.infer<typeof PackedFile>;

export const MANIFEST = 'pixelgate-backup.json';

/** Written last, so that a directory has a whole backup or none. */
export const Manifest = z.object({
  format: z.literal(1),
  /** Of Pixelgate. */
  version: z.string(),
  takenAt: z.string(),
  schema: CopiedSchema,
  tables: z.array(z.object({ table: CopiedTable, packed: PackedFile })),
  /** A line for each object: its hash, two spaces, its name. */
  objects: PackedFile,
});
export type Manifest = z.infer<typeof Manifest>;

/** Passes bytes on. `onEnd` is told their hash, and may refuse it. */
function hashing(onEnd: (sha256: string) => void): Transform {
  const hash = createHash('sha256');
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      try {
        onEnd(hash.digest('hex'));
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}

const BATCH_BYTES = 65_536;

/** COPY gives a chunk for each row, and each chunk that is compressed costs a turn of a thread. */
async function* inBatches(content: Readable): AsyncGenerator<Buffer> {
  let batch: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk);
    batch.push(bytes);
    size += bytes.length;
    if (size < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    [batch, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(batch);
}

/** Compresses what it reads into a file, which is on the disk when this returns. */
export async function packFile(directory: string, file: string, content: Readable): Promise<PackedFile> {
  const place = path.join(directory, file);
  await mkdir(path.dirname(place), { recursive: true });
  let sha256 = '';
  const keep = hashing((found) => {
    sha256 = found;
  });
  const written = createWriteStream(place, { flush: true });
  await pipeline(inBatches(content), createGzip({ level: constants.Z_BEST_SPEED }), keep, written);
  return { file, sha256 };
}

async function* unpack(directory: string, { file, sha256 }: PackedFile): AsyncGenerator<Buffer> {
  const check = hashing((found) => {
    if (found !== sha256) throw new Error('its hash does not match');
  });
  const unpacked = createGunzip();
  const running = pipeline(createReadStream(path.join(directory, file)), check, unpacked);
  running.catch(() => undefined);
  try {
    for await (const chunk of unpacked) yield chunk;
    await running;
  } catch (error) {
    throw new BackupError(`${file} is damaged: ${errorMessage(error)}`, { cause: error });
  }
}

/** What was packed. Fails at its end if the bytes of the file have changed: commit nothing before that. */
export function unpackFile(directory: string, packed: PackedFile): Readable {
  return Readable.from(unpack(directory, packed), { objectMode: false });
}

/** The lines of ASCII text. */
export async function* readLines(text: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

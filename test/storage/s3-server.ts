import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const BUCKET = 'images';

const require = createRequire(import.meta.url);

const PROGRAM = `
  const [module, directory, bucket] = process.argv.slice(1);
  const S3rver = require(module);
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] };
  const server = new S3rver(options);
  // As S3 has it, an object that is copied onto itself is stored now.
  server.on('event', ({ Records: [{ eventName, s3 }] }) => {
    const file = directory + '/' + bucket + '/' + decodeURIComponent(s3.object.key) + '._S3rver_object';
    if (eventName === 'ObjectCreated:Copy') require('node:fs').utimesSync(file, new Date(), new Date());
  });
  server.run().then(({ port }) => console.log(port));
  process.stdin.resume().on('end', () => process.exit());
`;

/**
 * A real server that speaks S3 over HTTP. It has one bucket, and its credentials are where the SDK looks for them. It
 * runs in a separate process, because it encrypts continuation tokens with DES, which OpenSSL 3 supports only as a
 * legacy algorithm. It ends with this process, because its standard input is closed then.
 */
export async function startS3Server() {
  const directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-s3-'));
  const server = spawn(
    process.execPath,
    ['--openssl-legacy-provider', '-e', PROGRAM, require.resolve('s3rver'), directory, BUCKET],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [port] = await Promise.race([
    once(server.stdout, 'data'),
    once(server, 'exit').then(() => Promise.reject(new Error('s3rver did not start'))),
  ]);
  process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
  const fileOf = (name: string, part = 'object') => path.join(directory, BUCKET, `${name}._S3rver_${part}`);
  return {
    endpoint: `http://127.0.0.1:${String(port).trim()}`,
    /** Where it keeps an object. The time of this file is when the object was stored. */
    fileOf: (name: string) => fileOf(name),
    /** Copies an object in its place on disk. To put a thousand, the SDK needs ten seconds. */
    async copyTo(from: string, names: string[]): Promise<void> {
      for (const name of names) {
        await mkdir(path.dirname(fileOf(name)), { recursive: true });
        for (const part of ['object', 'object.md5', 'metadata.json']) {
          await copyFile(fileOf(from, part), fileOf(name, part));
        }
      }
    },
    async stop(): Promise<void> {
      const ended = once(server, 'exit');
      server.stdin.end();
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

import path from 'node:path';
import type { Config } from '../config.ts';
import { createDiskStorage } from './disk-storage.ts';
import type { Storage } from './storage.ts';

/** S3 where a bucket is configured, else files under the data directory. */
export async function createStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<Storage> {
  if (s3 === null) return createDiskStorage(path.join(dataDir, 'files'));
  // Loaded only when needed, because the SDK adds a tenth of a second to the start of every thread.
  const { createS3Storage } = await import('./s3-storage.ts');
  return createS3Storage(s3);
}

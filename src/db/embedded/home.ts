import { chmod, mkdir } from 'node:fs/promises';
import { canEnter } from './account.ts';
import type { Account } from './account.ts';
import { unusable } from './unusable.ts';

const SHARED_HOME = '/var/lib/pixelgate';

/**
 * The directory that holds what PostgreSQL must reach: `dataDir`, but for a root user whose data directory lies under a
 * private one (/root, `mktemp -d`). Nobody's directories are opened for that; a shared home is used instead.
 */
export async function chooseHome(account: Account, dataDir: string): Promise<string> {
  if (await canEnter(account, dataDir)) return dataDir;
  await mkdir(SHARED_HOME, { recursive: true });
  await chmod(SHARED_HOME, 0o755);
  if (await canEnter(account, SHARED_HOME)) return SHARED_HOME;
  throw unusable(
    `PostgreSQL runs as the user with ID ${account.uid}, which can access neither ${dataDir} nor ${SHARED_HOME}.`,
  );
}

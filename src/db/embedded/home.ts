import { chmod, mkdir } from 'node:fs/promises';
import { canEnter, type Account } from './system-account.ts';
import { unusable } from './unusable.ts';

const SHARED_HOME = '/var/lib/pixelgate';

/**
 * The directory for everything that PostgreSQL must reach. Normally this is `dataDir`. For root with a data directory
 * under a private one (/root, `mktemp -d`), it is a shared home instead, so that we don't open anybody's private
 * directories.
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

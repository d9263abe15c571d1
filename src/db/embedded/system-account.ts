import { execFile } from 'node:child_process';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { unavailable, type AppError } from '../../errors.ts';

/** The embedded database is not usable. The message is a sentence or two for the person who starts the service. */
export function unusable(message: string): AppError {
  const wayOut = 'You can also set DATABASE_URL to use your own PostgreSQL server.';
  return unavailable(`${message} ${wayOut}`, 'embedded_database_unavailable');
}

/**
 * The account that PostgreSQL runs as. Empty: our own. For root it is another account, because PostgreSQL refuses to
 * run as root.
 */
export type Account = { uid: number; gid: number } | Record<string, never>;

const run = promisify(execFile);

async function lookUp(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

async function createPostgresUser(): Promise<Account | null> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/', '--shell', '/usr/sbin/nologin'];
  // If this fails, the user is still missing afterwards.
  await run('useradd', [...options, 'postgres']).catch(() => null);
  return lookUp('postgres');
}

/**
 * The owner of `cluster` if it exists, so that a server keeps its account even when users are added or removed.
 * Otherwise `postgres`, created if missing, or else `nobody`. `initdb` refuses a uid without a name.
 */
export async function chooseAccount(cluster: string): Promise<Account> {
  const owner = await stat(cluster).catch(() => null);
  const self = process.getuid?.();
  if (self === undefined) throw unusable('The embedded PostgreSQL requires Linux or macOS.');
  if (self !== 0) {
    if (owner !== null && owner.uid !== self) {
      throw unusable(`${cluster} belongs to another user (ID ${owner.uid}). Start Pixelgate as that user.`);
    }
    return {};
  }
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = (await lookUp('postgres')) ?? (await createPostgresUser()) ?? (await lookUp('nobody'));
  if (account === null) {
    throw unusable(
      `PostgreSQL cannot run as root, and the user "postgres" could not be created. Create it, or start Pixelgate as a normal user.`,
    );
  }
  return account;
}

/** Whether PostgreSQL, running as `account`, can enter `directory`. This depends on every directory above it. */
export async function canEnter(account: Account, directory: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

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

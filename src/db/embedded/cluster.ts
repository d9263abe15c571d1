import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, hasCode, nullIf } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { syncDirectory } from '../../storage/disk-storage.ts';
import { inWorkspace, type Binaries } from './binaries.ts';
import { canEnter, unusable, type Account } from './system-account.ts';

/** The superuser, and the owner of everything, in an embedded cluster. */
export const SUPERUSER = 'pixelgate';

export type ClusterOptions = {
  /** The path of the cluster: a directory, or a symbolic link to a place that PostgreSQL can reach. */
  location: string;
  /** Where a new cluster is created, see `chooseHome`. */
  home: string;
  account: Account;
  binaries: Binaries;
  password: string;
  /** False: nothing is synced to disk. For tests only. */
  durable: boolean;
  log: Logger;
};

const run = promisify(execFile);

async function initialize(cluster: string, options: ClusterOptions): Promise<void> {
  const { account, binaries, password, durable } = options;
  const passwordFile = path.join(path.dirname(cluster), 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined) {
    await chown(passwordFile, account.uid, account.gid);
    await chown(path.dirname(cluster), account.uid, account.gid);
  }
  const settings = [
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // Sorts by code point like C, but also knows upper and lower case beyond ASCII.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await run(binaries.initdb, ['-D', cluster, ...settings], { ...account, cwd: '/', env: { LC_ALL: 'C' } });
  } catch (error) {
    throw unusable(`Could not create a database in ${options.home}: ${errorMessage(error)}`);
  }
}

/** @throws EEXIST or ENOTEMPTY when there is one already. */
async function moveIntoDataDir(cluster: string, location: string): Promise<void> {
  await rename(cluster, location);
  await syncDirectory(path.dirname(location));
}

/** @throws EEXIST when there is one already. */
async function moveHomeAndLink(cluster: string, location: string, home: string): Promise<void> {
  const place = path.join(home, `cluster-${randomBytes(6).toString('hex')}`);
  await rename(cluster, place);
  await syncDirectory(home);
  try {
    await rmdir(location).catch(() => {});
    await symlink(place, location);
    await syncDirectory(path.dirname(location));
  } catch (error) {
    await rm(place, { recursive: true, force: true });
    throw error;
  }
}

async function create(options: ClusterOptions): Promise<void> {
  const { location, home, log } = options;
  await inWorkspace(home, async (workspace) => {
    const cluster = path.join(workspace, 'cluster');
    await initialize(cluster, options);
    if (home === path.dirname(location)) await moveIntoDataDir(cluster, location);
    else await moveHomeAndLink(cluster, location, home);
  }).then(
    () => log.info({ location, home }, 'created a database'),
    (error: unknown) => {
      // Another process that started at the same moment was faster. Its cluster stays.
      if (!hasCode(error, 'EEXIST', 'ENOTEMPTY')) throw error;
    },
  );
}

/** False also for an empty directory, which a cluster may replace. */
async function isThere(location: string): Promise<boolean> {
  const entry = await lstat(location).catch(nullIf((error) => hasCode(error, 'ENOENT')));
  if (entry === null) return false;
  return !entry.isDirectory() || (await readdir(location)).length > 0;
}

async function refuseForeign(location: string, major: number): Promise<void> {
  const version = await readFile(path.join(location, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    throw unusable(
      `${location} exists but is not a PostgreSQL database (${errorMessage(error)}). Move it away to start with an empty database.`,
    );
  });
  if (Number(version) === major) return;
  throw unusable(
    `${location} was created by PostgreSQL ${version.trim()}, but this version of Pixelgate includes PostgreSQL ${major}. Run pixelgate backup with the Pixelgate version that created it, move the directory away, and run pixelgate restore with this one.`,
  );
}

/** A copy made by root, or with another umask, has an owner or a mode that PostgreSQL refuses. */
async function takeCare(cluster: string, account: Account): Promise<void> {
  const { uid, mode } = await stat(cluster);
  if (account.uid !== undefined && uid !== account.uid) {
    await run('chown', ['-R', `${account.uid}:${account.gid}`, cluster]);
  }
  if ((mode & 0o077) !== 0) await chmod(cluster, 0o700);
}

/**
 * The path of the cluster at `location`. Creates it if it is missing.
 * @throws AppError when this version can't use the cluster.
 */
export async function openCluster(options: ClusterOptions): Promise<string> {
  const { location, account, binaries } = options;
  if (!(await isThere(location))) await create(options);
  await refuseForeign(location, binaries.major);
  const cluster = await realpath(location);
  await takeCare(cluster, account);
  if (await canEnter(account, cluster)) return cluster;
  throw unusable(
    `PostgreSQL runs as the user with ID ${account.uid}, which cannot access ${cluster} because a parent directory is private.`,
  );
}

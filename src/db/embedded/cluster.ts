import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '../../error-code.ts';
import { messageOf } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { canEnter } from './account.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, WAY_OUT } from './embedded-postgres-error.ts';
import { inWorkspace } from './workspace.ts';

/** The superuser, and the owner of everything, in an embedded cluster. */
export const SUPERUSER = 'pixelgate';

export type ClusterOptions = {
  /** Where the cluster is found: a directory, or a symbolic link to where PostgreSQL can reach it. */
  location: string;
  /** Where a new one is made, see `chooseHome`. */
  home: string;
  account: Account;
  binaries: Binaries;
  password: string;
  /** False: nothing is synced to disk. For tests only. */
  durable: boolean;
  log: Logger;
};

const run = promisify(execFile);

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function initialise(cluster: string, options: ClusterOptions): Promise<void> {
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
    // Sorts by code point like C, and knows the case of letters beyond ASCII.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await run(binaries.initdb, ['-D', cluster, ...settings], { ...account, cwd: '/', env: { LC_ALL: 'C' } });
  } catch (error) {
    throw new EmbeddedPostgresError(`No database could be made in ${options.home}: ${messageOf(error)} ${WAY_OUT}`, {
      cause: error,
    });
  }
}

/** Puts a finished cluster in its place. When another process was faster, that one's stays. */
async function publish(cluster: string, { location, home, log }: ClusterOptions): Promise<void> {
  const direct = home === path.dirname(location);
  const place = direct ? location : path.join(home, `cluster-${randomBytes(6).toString('hex')}`);
  try {
    await rename(cluster, place);
    await syncDirectory(home);
    if (direct) return;
    await symlink(place, location);
    await syncDirectory(path.dirname(location));
    log.info({ location, place }, 'the database lies elsewhere, as PostgreSQL cannot enter the data directory');
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOTEMPTY')) throw error;
  }
}

async function create(options: ClusterOptions): Promise<void> {
  await inWorkspace(options.home, async (workspace) => {
    const cluster = path.join(workspace, 'cluster');
    await initialise(cluster, options);
    await publish(cluster, options);
  });
  options.log.info({ location: options.location, major: options.binaries.major }, 'made a database');
}

/** False also for an empty directory, which a cluster may replace. */
async function isThere(location: string): Promise<boolean> {
  const entry = await lstat(location).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (entry === null) return false;
  return !entry.isDirectory() || (await readdir(location)).length > 0;
}

async function refuseForeign(location: string, major: number): Promise<void> {
  const version = await readFile(path.join(location, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      `${location} is there, but is no PostgreSQL database (${messageOf(error)}). Move it away to start with an empty database. ${WAY_OUT}`,
      { cause: error },
    );
  });
  if (Number(version) === major) return;
  throw new EmbeddedPostgresError(
    `${location} was made by PostgreSQL ${version.trim()}, and this Pixelgate brings PostgreSQL ${major}. Start the Pixelgate that made it, pg_dump its database, move the directory away and restore the dump into the new one.`,
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
 * The path of the cluster at `location`, which is made if it is not there.
 * @throws EmbeddedPostgresError for one that this version can't use.
 */
export async function openCluster(options: ClusterOptions): Promise<string> {
  const { location, account, binaries } = options;
  if (!(await isThere(location))) await create(options);
  await refuseForeign(location, binaries.major);
  const cluster = await realpath(location);
  await takeCare(cluster, account);
  if (await canEnter(account, cluster)) return cluster;
  throw new EmbeddedPostgresError(
    `PostgreSQL runs as the user with id ${account.uid}, who cannot enter ${cluster}: a directory above it has become private. ${WAY_OUT}`,
  );
}

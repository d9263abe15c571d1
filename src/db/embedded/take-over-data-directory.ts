import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Logger } from '../../logger.ts';
import { unusable } from './system-account.ts';

/** A setting of each server that we start. It holds the ID of the process that started the server. */
export const STARTED_BY = 'pixelgate.started_by';

const FAST_MS = 30_000;
const IMMEDIATE_MS = 10_000;
const POLL_MS = 50;

type RunningProcess = { parent: number; command: string };

const run = promisify(execFile);

async function fromProc(pid: number): Promise<RunningProcess> {
  const [status, command] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
  ]);
  return { parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]), command: command.replaceAll('\0', ' ') };
}

async function fromPs(pid: number): Promise<RunningProcess> {
  const { stdout } = await run('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)]);
  const [parent = '', ...command] = stdout.trim().split(/\s+/);
  return { parent: Number(parent), command: command.join(' ') };
}

/**
 * The PostgreSQL server with that id, if it serves `cluster`. On Linux, its working directory is compared with the
 * cluster as a file, because a server works inside its data directory. So a renamed directory, or an id that another
 * program now has, causes no mistake. Elsewhere its command line must contain the directory. A zombie does not count.
 * Neither does a killed process that is about to become one: it has lost its command line but still has its
 * directory.
 */
async function findServer(pid: number, cluster: string): Promise<RunningProcess | null> {
  try {
    if (process.platform !== 'linux') {
      const found = await fromPs(pid);
      return found.command.includes(cluster) ? found : null;
    }
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)]);
    if (there.dev !== here.dev || there.ino !== here.ino) return null;
    const found = await fromProc(pid);
    return found.command === '' ? null : found;
  } catch {
    return null;
  }
}

async function readPid(lockFile: string): Promise<number | null> {
  const text = await readFile(lockFile, 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

async function isGone(pid: number, cluster: string, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += POLL_MS) {
    if ((await findServer(pid, cluster)) === null) return true;
    await delay(POLL_MS);
  }
  return false;
}

async function stopOrphan(pid: number, cluster: string): Promise<void> {
  process.kill(pid, 'SIGINT');
  if (await isGone(pid, cluster, FAST_MS)) return;
  process.kill(pid, 'SIGQUIT');
  if (await isGone(pid, cluster, IMMEDIATE_MS)) return;
  throw unusable(
    `The database in ${cluster} was left behind by a killed Pixelgate, and its process ${pid} cannot be stopped.`,
  );
}

/** On Linux, whether any process still works in the cluster: backends outlive a killed server for a moment. */
async function isAnyoneInside(cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => findServer(Number(pid), cluster)));
  return found.some((server) => server !== null);
}

/** PostgreSQL refuses to start while the id in its lock file belongs to any process, even of another program. */
async function dropStaleLock(lockFile: string, cluster: string, log: Logger): Promise<void> {
  if (await isAnyoneInside(cluster)) return;
  await rm(lockFile, { force: true });
  log.warn({ cluster }, 'removed the lock file of a database server that is gone');
}

/**
 * Makes sure that no server uses `cluster`. A server whose parent is still the process that started it is in use. A
 * server with another parent was left behind by a killed Pixelgate, and is stopped.
 * @throws AppError when the cluster is in use.
 */
export async function takeOverDataDirectory(cluster: string, dataDir: string, log: Logger): Promise<void> {
  const lockFile = path.join(cluster, 'postmaster.pid');
  const pid = await readPid(lockFile);
  if (pid === null) return;
  const server = await findServer(pid, cluster);
  if (server === null) {
    await dropStaleLock(lockFile, cluster, log);
    return;
  }
  const starter = new RegExp(`${STARTED_BY.replace('.', '\\.')}=(\\d+)`).exec(server.command)?.[1];
  if (starter === undefined || Number(starter) === server.parent) {
    const user = starter === undefined ? 'a PostgreSQL server' : `another running Pixelgate (process ${starter})`;
    throw unusable(`The data directory ${dataDir} is in use by ${user}. Stop it, or set a different DATA_DIR.`);
  }
  log.warn({ cluster, pid }, 'stopping a database server left behind by a killed Pixelgate');
  await stopOrphan(pid, cluster);
}

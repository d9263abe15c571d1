import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

export type RunningProcess = { parent: number; command: string };

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
export async function findServer(pid: number, cluster: string): Promise<RunningProcess | null> {
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

import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../../errors.ts';

const PREFIX = '.new-';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Removes unfinished work of killed processes from `parent`. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : process.pid;
    if (!isRunning(pid)) await rm(path.join(parent, name), { recursive: true, force: true });
  }
}

/**
 * Runs `work` in a temporary directory inside `parent`. The finished result is renamed into place, so a process
 * killed on the way leaves nothing that looks finished.
 */
export async function inWorkspace<T>(parent: string, work: (workspace: string) => Promise<T>): Promise<T> {
  await mkdir(parent, { recursive: true });
  await sweep(parent);
  const workspace = await mkdtemp(path.join(parent, `${PREFIX}${process.pid}-`));
  try {
    await chmod(workspace, 0o711);
    return await work(workspace);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

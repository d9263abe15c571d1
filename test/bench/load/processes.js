import { readdir, readFile } from 'node:fs/promises';

/* What processes have used, by `/proc`: Linux only. */

const TICK_MS = 10;
const PAGE_BYTES = 4096;

async function readStat(pid) {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system, childUser, childSystem, pages] = [1, 11, 12, 13, 14, 21].map((at) =>
      Number(fields[at]),
    );
    return { pid, parent, cpu: user + system, ended: childUser + childSystem, pages };
  } catch {
    // It has ended since it was listed.
    return null;
  }
}

/** Milliseconds of CPU of a process so far. */
export async function readCpu(pid) {
  return TICK_MS * ((await readStat(pid))?.cpu ?? 0);
}

/** The same of a server and of its children, those that have ended too. */
export async function readTreeCpu(pid) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = (await Promise.all(pids.map(readStat))).filter((stat) => stat !== null);
  const own = stats.filter((stat) => stat.pid === String(pid) || stat.parent === Number(pid));
  const ended = own.find((stat) => stat.pid === String(pid))?.ended ?? 0;
  return TICK_MS * (ended + own.reduce((all, { cpu }) => all + cpu, 0));
}

/** Resident memory, in MB. */
export async function readMemory(pid) {
  return (PAGE_BYTES * ((await readStat(pid))?.pages ?? 0)) / 1e6;
}

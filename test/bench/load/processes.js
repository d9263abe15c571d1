import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

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

async function readFamily(pid) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = (await Promise.all(pids.map(readStat))).filter((stat) => stat !== null);
  return stats.filter((stat) => stat.pid === String(pid) || stat.parent === Number(pid));
}

/** Milliseconds of CPU so far, of a process and of its children, those that have ended too. */
export async function readCpu(pid) {
  const family = await readFamily(pid);
  const ended = family.find((stat) => stat.pid === String(pid))?.ended ?? 0;
  return TICK_MS * (ended + family.reduce((all, { cpu }) => all + cpu, 0));
}

/** Resident memory of a process and of its children, in MB. What they share counts for each. */
export async function readMemory(pid) {
  return (PAGE_BYTES * (await readFamily(pid)).reduce((all, { pages }) => all + pages, 0)) / 1e6;
}

/** The process of the embedded PostgreSQL in this folder. */
export async function readPostgresPid(dataDir) {
  const [pid] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

import { readdirSync, readFileSync } from 'node:fs';

export type ProcessInfo = { pid: number; parent: number; command: string };

function read(pid: number): ProcessInfo | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain any character. A zombie counts as ended.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return null;
    return { pid, parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
  } catch {
    return null;
  }
}

export const isAlive = (pid: number) => read(pid) !== null;

/** Every live descendant of the process. */
export function descendantsOf(root: number): ProcessInfo[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [read(Number(name))] : []));
  const found = new Set([root]);
  const below: ProcessInfo[] = [];
  for (let grown = true; grown;) {
    grown = false;
    for (const entry of all) {
      if (entry === null || found.has(entry.pid) || !found.has(entry.parent)) continue;
      found.add(entry.pid);
      below.push(entry);
      grown = true;
    }
  }
  return below;
}

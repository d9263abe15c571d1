import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Where Playwright keeps what a browser writes. It removes the folder when the browser ends, unless both are killed. */
const PROFILE = /^playwright_chromiumdev_profile-\w+$/;

/** A folder is created shortly before its browser starts. */
const NEW_MS = 60_000;

/** The command lines of all visible processes. Null if the system does not reveal them. */
async function readCommands(): Promise<string[] | null> {
  const entries = await readdir('/proc').catch(() => null);
  if (entries === null) return null;
  const ids = entries.filter((name) => /^\d+$/.test(name));
  return Promise.all(ids.map(async (id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
}

/**
 * Removes the profiles of browsers that were killed together with their service, so that they don't fill the disk.
 * Profiles of running browsers, of other accounts, or younger than a minute are kept. @returns how many were removed.
 * None if the system does not reveal which processes run.
 */
export async function sweepProfiles(directory = tmpdir(), now = Date.now()): Promise<number> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => PROFILE.test(name));
  if (names.length === 0) return 0;
  const commands = await readCommands();
  if (commands === null) return 0;
  let removed = 0;
  for (const name of names) {
    const profile = path.join(directory, name);
    const found = await stat(profile).catch(() => null);
    const isOurs = found !== null && found.uid === process.getuid?.();
    if (!isOurs || now - found.mtimeMs < NEW_MS || commands.some((command) => command.includes(profile))) continue;
    await rm(profile, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode, nullIf } from '../errors.ts';

const SHORTEST = 32;

async function readSecret(file: string): Promise<string | null> {
  const kept = await readFile(file, 'utf8').catch(nullIf((error) => hasCode(error, 'ENOENT')));
  if (kept === null) return null;
  const text = kept.trim();
  if (text.length < SHORTEST) {
    throw new Error(`The secret in ${file} is damaged: it must have at least ${SHORTEST} characters`);
  }
  return text;
}

/**
 * The secret kept in `dataDir/name` (mode 0600), created from 32 random bytes the first time (base64url, so safe in a
 * URL). Processes that start at the same time all get the same one.
 */
export async function readOrCreateSecret(dataDir: string, name: string): Promise<string> {
  const file = path.join(dataDir, name);
  const kept = await readSecret(file);
  if (kept !== null) return kept;

  await mkdir(dataDir, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const secret = randomBytes(32).toString('base64url');
    await writeFile(draft, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
    // A hard link appears complete or not at all, and never replaces a file that another process created first.
    await link(draft, file).catch(nullIf((error) => hasCode(error, 'EEXIST')));
  } finally {
    await rm(draft, { force: true });
  }
  const secret = await readSecret(file);
  if (secret === null) throw new Error(`The secret in ${file} could not be saved`);
  return secret;
}

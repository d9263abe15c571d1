import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { GROUPS } from './groups.js';

/*
 * `npm run mutants`: changes the rules of `groups.js` in thousands of small ways, one at a time, and expects a test to fail
 * each time. `npm run mutants -- outcome roles` takes these groups only, and `npm run mutants -- events
 * src/pull-requests/pull-request.ts:1-40` these lines only, with the tests of the group. StrykerJS, which does it, is
 * installed into `dist` from a lock file of its own.
 */

const ROOT = path.join(import.meta.dirname, '../..');
const TOOL = path.join(import.meta.dirname, 'tool');
const HOME = path.join(ROOT, 'dist/mutants');

function install() {
  const lock = 'package-lock.json';
  const isThere = existsSync(path.join(HOME, 'node_modules'));
  if (isThere && readFileSync(path.join(HOME, lock), 'utf8') === readFileSync(path.join(TOOL, lock), 'utf8')) return;
  mkdirSync(HOME, { recursive: true });
  cpSync(TOOL, HOME, { recursive: true });
  // Jest is installed already, with everybody's packages.
  execFileSync('npm', ['ci', '--legacy-peer-deps'], { cwd: HOME, stdio: 'inherit' });
}

/** A PostgreSQL server for all mutants. @returns the variables that lead to it, and how to stop it. */
async function startDatabase() {
  const dist = (file) => import(pathToFileURL(path.join(ROOT, 'dist', file)).href);
  const { startEmbeddedPostgres } = await dist('db/embedded-postgres.js');
  const { createLogger } = await dist('logger.js');
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pixelgate-mutants-'));
  // Root's server uses another account, which needs access.
  chmodSync(dataDir, 0o711);
  const server = await startEmbeddedPostgres({ dataDir, log: createLogger('silent'), durable: false });
  const stop = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  };
  return { environment: { TEST_SERVER_URL: server.url }, stop };
}

/** Jest does not free the modules of a file that has ended: 100 MB for each mutant that needs the whole service. */
const MUTANTS_OF_A_PROCESS = 20;

const settings = ({ mutate, tests }) => ({
  mutate,
  testRunner: 'jest',
  plugins: [path.join(HOME, 'node_modules/@stryker-mutator/jest-runner/dist/src/index.js')],
  jest: {
    configFile: 'test/mutants/jest.config.js',
    config: { testMatch: tests.map((test) => `<rootDir>/${test}`) },
    enableFindRelatedTests: false,
  },
  testRunnerNodeArgs: ['--experimental-vm-modules'],
  coverageAnalysis: 'off',
  // It would ask the TypeScript API, which version 7 does not have.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  ignorePatterns: ['dist', '.data', 'docs', 'test/screenshots'],
  tempDirName: 'dist/mutants/sandbox',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  maxTestRunnerReuse: MUTANTS_OF_A_PROCESS,
  concurrency: Number(process.env.MUTANTS_AT_ONCE ?? 2),
  timeoutMS: 20_000,
});

/**
 * The database's log goes through this process. If nobody read it, its statements would wait for that when the pipe is full.
 * @returns whether it could be tried. Survivors are for people to judge.
 */
async function tryGroup(group, environment) {
  const file = path.join(HOME, `${group.name}.json`);
  writeFileSync(file, JSON.stringify(settings(group)));
  console.log(`\n${group.name}: ${group.mutate.join(', ')}`);
  const stryker = path.join(HOME, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const trial = spawn(process.execPath, [stryker, 'run', file], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { PROPERTY_RUNS: '50', ...process.env, ...environment },
  });
  const [status] = await once(trial, 'exit');
  return status === 0;
}

const isPlace = (argument) => argument.includes('/');
const places = process.argv.slice(2).filter(isPlace);
const names = process.argv.slice(2).filter((argument) => !isPlace(argument));
if (places.length > 0 && names.length !== 1)
  throw new Error('Lines of a file need the name of one group, for its tests');
const unknown = names.filter((name) => !GROUPS.some((group) => group.name === name));
if (unknown.length > 0) throw new Error(`There is no group ${unknown.join(', ')} in test/mutants/groups.js`);
const chosen = GROUPS.filter(({ name }) => names.length === 0 || names.includes(name)).map((group) =>
  places.length > 0 ? { ...group, mutate: places } : group,
);

install();
const database = chosen.some((group) => group.database === true) ? await startDatabase() : null;
try {
  const failed = [];
  for (const group of chosen) {
    if (!(await tryGroup(group, database?.environment ?? {}))) failed.push(group);
  }
  if (failed.length > 0) {
    console.error(`Could not be tried: ${failed.map(({ name }) => name).join(', ')}`);
    process.exitCode = 1;
  }
} finally {
  await database?.stop();
}

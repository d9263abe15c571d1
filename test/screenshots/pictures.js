// `npm run pictures -- FOLDER [PATTERN]`: screenshots of every page and state, and a sheet to look at all of them.
// PATTERN: only the pages whose name it is in. Without FOLDER, they are in a temporary one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [given, pattern = ''] = process.argv.slice(2);
const folder = given === undefined ? mkdtempSync(path.join(tmpdir(), 'pixelgate-pictures-')) : path.resolve(given);
if (!path.relative(ROOT, folder).startsWith('..')) {
  process.stderr.write('The folder must be outside the repository.\n');
  process.exit(2);
}

const run = (args, env = {}) =>
  spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
const config = path.join(ROOT, 'test/tooling/jest.pictures.config.js');
const checks = pattern === '' ? run([path.join(ROOT, 'test/screenshots/checks.js'), path.join(folder, 'checks')]) : 0;
const taken = run([jest, '-c', config], {
  PICTURES_FOLDER: folder,
  PICTURES_ONLY: pattern,
});
process.stdout.write(`Look at ${path.join(folder, 'index.html')}\n`);
process.exitCode = checks || taken;

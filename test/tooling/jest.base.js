const root = new URL('../..', import.meta.url).pathname;

/** What every Jest project here shares: ESM TypeScript through swc, and a network that ends at loopback. */
export const base = {
  rootDir: root,
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022', experimental: { keepImportAssertions: true } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  // A bound on what hangs, not a measure: a busy machine takes its time.
  testTimeout: 60_000,
  setupFiles: ['<rootDir>/test/support/loopback-only.ts'],
};

const root = new URL('../..', import.meta.url).pathname;

/** Shared by all Jest projects: ESM TypeScript through swc, and no network beyond loopback. */
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
        // In files of their own: inline, they would be two thirds of what each test file loads.
        sourceMaps: true,
      },
    ],
  },
  // Only to end tests that hang. A busy machine can be slow.
  testTimeout: 180_000,
  setupFiles: ['<rootDir>/test/support/loopback-only.ts'],
};

import './typescript.js';

/** Shared by all Jest projects: TypeScript as Node.js itself imports it, and no network beyond loopback. */
export const base = {
  rootDir: new URL('../..', import.meta.url).pathname,
  roots: ['<rootDir>/test'],
  testRunner: '<rootDir>/test/tooling/run-file.js',
  testEnvironment: 'node',
  transform: {},
  // Only to end tests that hang. A busy machine can be slow.
  testTimeout: 600_000,
  setupFilesAfterEnv: ['<rootDir>/test/support/loopback-only.ts'],
};

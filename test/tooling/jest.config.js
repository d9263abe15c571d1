import { base } from './jest.base.js';

/** All tests. One PostgreSQL server for the whole run, and per file a database cloned from a migrated template. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/tooling/slow-first.js',
  maxWorkers: 2,
};

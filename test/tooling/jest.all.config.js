import { base } from './jest.base.js';

/** `npm run test:all`. One PostgreSQL server for the whole run, and per file a database cloned from a migrated template. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testSequencer: '<rootDir>/test/tooling/slow-first.js',
  // Of two processors: browser tests wait a good part of their time.
  maxWorkers: 4,
};

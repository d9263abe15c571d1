import { base } from './jest.base.js';

/** Every test; one PostgreSQL server for the whole run, a database cloned from a migrated template per file. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  maxWorkers: 2,
};

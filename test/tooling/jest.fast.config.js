import { base } from './jest.base.js';

/** The tests that need no database, server or browser. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['\\.(db|http|browser|process)\\.test\\.ts$', '/node_modules/'],
};

import { base } from './jest.base.js';

/** `npm run pictures`: no tests, but what they use to set a service up. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/screenshots/pictures/take.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testTimeout: 1_800_000,
};

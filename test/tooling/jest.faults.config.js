import all from './jest.all.config.js';

/** `npm run test:faults`: outages of minutes, and a break at every statement. One file at a time. */
export default {
  ...all,
  testMatch: ['<rootDir>/test/faults/*.faults.ts', '<rootDir>/test/faults/*.test.ts'],
  maxWorkers: 1,
};

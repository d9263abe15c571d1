import { base } from '../tooling/jest.base.js';

/**
 * For all mutants. Each group says which tests there are. Jest loads all modules anew for each mutant, which may change
 * what a module does when it is loaded.
 */
export default {
  ...base,
  testRunner: 'jest-circus/runner',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/test/tooling/strip-types.js' },
  testSequencer: '<rootDir>/test/mutants/quick-first.js',
};

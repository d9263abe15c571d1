import { base } from '../tooling/jest.base.js';

/** For all mutants. Each group says which tests there are. */
export default { ...base, testSequencer: '<rootDir>/test/mutants/quick-first.js' };

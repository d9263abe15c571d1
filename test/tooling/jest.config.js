import all from './jest.all.config.js';

/** `npm test`: what a change often touches. The long journeys, and the rest of each long list of cases, are in `*.long.*`. */
export default { ...all, testPathIgnorePatterns: ['\\.long\\.', '/node_modules/'] };

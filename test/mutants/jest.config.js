export { base as default } from '../tooling/jest.base.js';

import { transformSync } from '@swc/wasm-typescript';

/** JavaScript with spaces in place of the types, so that each line and column stays what it was. */
export const stripTypes = (source) => transformSync(source, { mode: 'strip-only' }).code;

/** Jest's transformer, for `test/mutants`. */
export default { process: (source) => ({ code: stripTypes(source) }) };

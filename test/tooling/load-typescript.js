import { readFile } from 'node:fs/promises';
import { stripTypes } from './strip-types.js';

const GLOBALS = new URL('./jest-globals.js', import.meta.url).href;

/** Hooks of Node.js. What Jest gives to the modules that it loads itself, `@jest/globals` does not give to others. */
export async function resolve(specifier, context, next) {
  return specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: stripTypes(await readFile(new URL(url), 'utf8')), shortCircuit: true };
}

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { stripTypes } from './strip-types.js';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** Regular expressions that take more than linear time, each with the reason why its text cannot be long. */
export const BOUNDED = {
  [String.raw`/^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i`]:
    'an address of at most 254 characters (auth/user.ts)',
  [String.raw`/\\.|"[^"]*"|'[^']*'|\[[^\]]*\]/gs`]: 'a selector of at most 1,000 (suites/config/page-rule.ts)',
  [String.raw`/(?:__?|--?)(?=[\w-]*\d)\w{4,}$/`]: 'a class of at most 200 (elements/name-element.ts)',
  [String.raw`/\bError 10\d\d\b.*\bCloudflare\b/i`]: 'a page of at most 2,000 (github/previews/page-text.ts)',
  [String.raw`/\/\*.*?\*\//gs`]: 'our own style sheets (web/static-files.ts)',
};

function collect(node, add) {
  if (typeof node !== 'object' || node === null) return;
  if (node.regex !== undefined) add(`/${node.regex.pattern}/${node.regex.flags}`);
  for (const child of Object.values(node)) collect(child, add);
}

/** Every regular expression in `src` as it is written, with the files that have it. */
export function findRegexps() {
  const found = new Map();
  const names = readdirSync(SRC, { recursive: true }).filter((name) => name.endsWith('.ts'));
  for (const name of names) {
    const source = stripTypes(readFileSync(path.join(SRC, name), 'utf8'));
    const tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
    collect(tree, (text) => found.set(text, [...(found.get(text) ?? []), name]));
  }
  return found;
}

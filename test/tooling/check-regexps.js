import { readFileSync, writeFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import { BOUNDED, findRegexps } from './regexps.js';

/*
 * Looks for text that makes a regular expression of `src` slow, and writes those for which there is none to
 * linear-regexps.json. What is listed is not examined again. A test demands that each is listed, or in `BOUNDED`.
 */
const LIST = new URL('linear-regexps.json', import.meta.url);
const TIMEOUT_MS = 30_000;

const tell = (line) => process.stderr.write(`${line}\n`);

const known = new Set(JSON.parse(readFileSync(LIST, 'utf8')));
const linear = [];
let refused = 0;
for (const [text, files] of findRegexps()) {
  if (text in BOUNDED) continue;
  const end = text.lastIndexOf('/');
  const verdict = known.has(text)
    ? { status: 'safe' }
    : checkSync(text.slice(1, end), text.slice(end + 1), { timeout: TIMEOUT_MS });
  if (verdict.status === 'safe') linear.push(text);
  else {
    refused += 1;
    tell(`${text} in ${files.join(', ')}: ${verdict.complexity?.summary ?? verdict.status}`);
    if (verdict.attack !== undefined) tell(`  by ${verdict.attack.pattern}`);
  }
}
writeFileSync(
  LIST,
  `${JSON.stringify(
    linear.toSorted((one, other) => (one < other ? -1 : 1)),
    null,
    2,
  )}\n`,
);
process.exitCode = refused === 0 ? 0 : 1;

import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, readDocument, sectionOf } from './markdown.ts';

/** How the table names a test: its name, and the file that has it. */
const TEST = /`([^`]+)` in \[[^\]]+\]\((test\/[^)]+)\)/g;

const lines = sectionOf(readDocument('SECURITY.md'), '## Threats')
  .split('\n')
  .filter((line) => /^\| (?!-|what)/.test(line));

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Null when the file has a test of that name, however it is quoted and wrapped. */
function problemOf(name: string, file: string): string | null {
  if (!existsSync(path.join(ROOT, file))) return `${file} is not there`;
  const call = new RegExp(String.raw`(?:\bit|\])?\)?\(\s*(['"\`])${escaped(name)}\1`);
  return call.test(readDocument(file)) ? null : `${file} has no test “${name}”`;
}

describe('the threats in SECURITY.md', () => {
  it('each have a defence, and a test that exists', () => {
    const untested = lines.filter((line) => {
      const [, , threat = '', defence = '', tests = ''] = line.split('|').map((cell) => cell.trim());
      return threat === '' || defence === '' || [...tests.matchAll(TEST)].length === 0;
    });
    expect(untested).toEqual([]);
    const named = lines.flatMap((line) => [...line.matchAll(TEST)]);
    expect(named.map(([, name = '', file = '']) => problemOf(name, file)).filter((each) => each !== null)).toEqual([]);
  });

  it('are of every kind', () => {
    const kinds = new Set(lines.map((line) => line.split('|')[1]?.trim()));
    const all = ['access', 'accounts', 'input', 'secrets', 'supply chain', 'targets', 'untrusted pages', 'webhooks'];
    expect(kinds).toEqual(new Set(all));
  });
});

import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readDocument, ROOT } from './markdown.ts';

/** How the list names a test: a link with its name, to the file that has it. */
const TEST = /\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g;

const TEXT = readDocument('docs/threats.md');

const lines = TEXT.split('\n').filter((line) => line.startsWith('- '));

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Null when the file has a test of that name, however it is quoted and wrapped. */
function problemOf(name: string, file: string): string | null {
  if (!existsSync(path.join(ROOT, file))) return `${file} is not there`;
  const call = new RegExp(String.raw`(?:\bit|\])?\)?\(\s*(['"\`])${escaped(name)}\1`);
  return call.test(readDocument(file)) ? null : `${file} has no test “${name}”`;
}

describe('the threats in docs/threats.md', () => {
  it('each have a defense, and a test that exists', () => {
    const untested = lines.filter(
      (line) => !/^- \*\*.+\*\*: \S.*\. \[/.test(line) || [...line.matchAll(TEST)].length === 0,
    );
    expect(untested).toEqual([]);
    const named = lines.flatMap((line) => [...line.matchAll(TEST)]);
    expect(named.map(([, name = '', file = '']) => problemOf(name, file)).filter((each) => each !== null)).toEqual([]);
  });

  it('are of every kind', () => {
    const kinds = [...TEXT.matchAll(/^## (.+)$/gm)].map(([, kind = '']) => kind);
    const all = ['Access', 'Accounts', 'Input', 'Secrets', 'Supply chain', 'Targets', 'Untrusted pages', 'Webhooks'];
    expect(kinds.toSorted()).toEqual(all);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readDocument, ROOT } from './markdown.ts';

const RULES = readDocument('docs/rules.md');

/** `src/runs/run.ts` and the section of the page that names it. */
function namedFiles(): string[] {
  return RULES.split(/^## /m).flatMap((section) => {
    const [heading = ''] = section.split('\n', 1);
    return [...section.matchAll(/`(src\/[\w./-]+)`/g)].map(([, file = '']) => `${file}: ${heading}`);
  });
}

/** The files whose comments cite the page, and the section that they cite. */
function citingFiles(): string[] {
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(ROOT, 'src', file), 'utf8').replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ');
      const cited = [...text.matchAll(/docs\/rules\.md(?:, ([A-Z][\w ]*))?/g)].map(([, heading = '']) => heading);
      return cited.map((heading) => `src/${file}: ${heading}`);
    });
}

describe('docs/rules.md', () => {
  it('names the files that hold a rule, which cite its section, and no other', () => {
    expect([...new Set(citingFiles())].toSorted()).toEqual([...new Set(namedFiles())].toSorted());
    expect(namedFiles()).toContain('src/access/role.ts: Who may do what');
  });
});

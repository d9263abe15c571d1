import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anchorsOf, DOCUMENTS, readDocument, ROOT, withoutCode } from './markdown.ts';

const LINK = /!?\[[^\]]*\]\(([^)\s]+)\)/g;
const ELSEWHERE = /^[a-z]+:/;

/** What is wrong with a link in the document, or null. */
function problemOf(document: string, target: string): string | null {
  const [file = '', anchor] = target.split('#');
  const resolved = file === '' ? document : path.join(path.dirname(document), file);
  if (!existsSync(path.join(ROOT, resolved))) return `${document}: ${target} is not there`;
  if (anchor === undefined) return null;
  return anchorsOf(readDocument(resolved)).has(anchor) ? null : `${document}: ${target} is no heading`;
}

const linksOf = (document: string) =>
  [...withoutCode(readDocument(document)).matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !ELSEWHERE.test(target));

const quotesOf = (document: string) =>
  [...withoutCode(readDocument(document)).matchAll(/`([^`\n]+)`/g)].map(([, quote = '']) => quote);

describe('the documents', () => {
  it('link only to files and headings that exist', () => {
    const problems = DOCUMENTS.flatMap((document) => linksOf(document).map((target) => problemOf(document, target)));
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });

  it('are all reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const document of reached) {
      const files = linksOf(document).map((target) => path.join(path.dirname(document), target.split('#')[0] ?? ''));
      for (const file of files) if (DOCUMENTS.includes(file)) reached.add(file);
    }
    expect([...reached].sort()).toEqual(DOCUMENTS);
  });

  it('name only files of the project that exist', () => {
    const named = DOCUMENTS.flatMap((document) =>
      quotesOf(document)
        .filter((quote) => /^(src|test|views|migrations|deploy|demo|docs|\.ci)\/[\w./-]*$/.test(quote))
        .map((file) => ({ document, file })),
    );
    expect(named.filter(({ file }) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  it('name only scripts that package.json has', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readDocument('package.json')));
    const named = DOCUMENTS.flatMap((document) =>
      [...readDocument(document).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script = '']) => ({ document, script })),
    );
    expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  it('keep the README short enough to be read', () => {
    const bytes = Buffer.byteLength(readDocument('README.md'));
    expect(bytes).toBeGreaterThanOrEqual(8_000);
    expect(bytes).toBeLessThanOrEqual(10_240);
  });
});

import { describe, expect, it } from '@jest/globals';
import { firstCells, readDocument, sectionOf } from './markdown.ts';

const VARIABLE = /^[A-Z][A-Z0-9_]+$/;

/** The keys of the schemas for the environment: all that `src/environment.ts` has. */
function readVariables(): string[] {
  return ['src/environment.ts', 'src/text/oidc-setting.ts'].flatMap((file) => {
    const [, schema = ''] =
      /^(?:export )?const \w*Environment = z\.object\(\{\n([\s\S]*?)^\}\);$/m.exec(readDocument(file)) ?? [];
    return [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name);
  });
}

/** The variables that have a row in `docs/operating.md`. */
function documentedVariables(): string[] {
  const cells = firstCells(sectionOf(readDocument('docs/operating.md'), '## Configuration'));
  return cells.map((cell) => cell.replaceAll('`', '')).filter((cell) => VARIABLE.test(cell));
}

describe('docs/operating.md', () => {
  it('has one row for each environment variable that is read, and for no other', () => {
    expect(documentedVariables().toSorted()).toEqual(readVariables().toSorted());
    expect(readVariables()).toContain('DATABASE_URL');
  });
});

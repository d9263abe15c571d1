import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchesGlobs } from '../../src/text/globs.ts';
import { runs } from '../support/property-runs.ts';

/** A glob as its pieces: text, or alternatives in braces. */
type Glob = (string | string[])[];

const write = (glob: Glob) =>
  glob.map((piece) => (typeof piece === 'string' ? piece : `{${piece.join(',')}}`)).join('');

/** Every pattern without braces that the glob stands for. */
const expand = (glob: Glob): string[] =>
  glob.reduce<string[]>((all, piece) => all.flatMap((text) => [piece].flat().map((choice) => text + choice)), ['']);

function matchesName(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  const [first = '', rest] = [pattern[0], pattern.slice(1)];
  if (first === '*') return matchesName(rest, name) || (name !== '' && matchesName(pattern, name.slice(1)));
  return name !== '' && (first === '?' || first === name[0]) && matchesName(rest, name.slice(1));
}

function matchesNames([part, ...parts]: string[], names: string[]): boolean {
  if (part === undefined) return names.length === 0;
  if (part === '**') return names.some((_, at) => matchesNames(parts, names.slice(at))) || matchesNames(parts, []);
  const [name, ...rest] = names;
  return name !== undefined && matchesName(part, name) && matchesNames(parts, rest);
}

/** What a glob means, tried out in every way there is: the time that it takes has no bound. */
function matches(glob: Glob, path: string): boolean {
  return expand(glob).some((text) => {
    const parts = text
      .replace(/^\.?\//, '')
      .replace(/\/$/, '')
      .split('/');
    return matchesNames(parts, path.split('/')) || matchesNames([...parts, '**'], path.split('/'));
  });
}

const word = fc.constantFrom('a', 'b', 'ab', '.', '*', '?', '/', '**', '/**/', '.css');
const choices = fc.array(fc.constantFrom('a', 'b', '*', 'a/b', ''), { minLength: 2, maxLength: 3 });
const glob: fc.Arbitrary<Glob> = fc
  .tuple(fc.array(word, { maxLength: 6 }), fc.option(choices, { nil: null }), fc.array(word, { maxLength: 3 }))
  .map(([before, middle, after]) => [...before, ...(middle === null ? [] : [middle]), ...after]);
const path = fc
  .array(fc.constantFrom('a', 'b', 'ab', '/', '.css'), { minLength: 1, maxLength: 8 })
  .map((all) => all.join(''));

describe('any glob', () => {
  it('means what trying out every way says', () => {
    fc.assert(
      fc.property(glob, path, (pattern, name) => {
        expect(matchesGlobs([write(pattern)], name)).toBe(matches(pattern, name));
      }),
      runs(2000),
    );
  });

  it('is overruled by a later one that matches, and takes back with an exclamation mark', () => {
    const signed = fc.array(fc.tuple(fc.boolean(), glob), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(signed, path, (all, name) => {
        const last = all.findLast(([, pattern]) => matches(pattern, name));
        const expected = last === undefined ? all.every(([isNegative]) => isNegative) : !last[0];
        const patterns = all.map(([isNegative, pattern]) => (isNegative ? '!' : '') + write(pattern));
        expect(matchesGlobs(patterns, name)).toBe(expected);
      }),
      runs(500),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { matchesGlobs } from '../../src/text/globs.ts';
import { growth, LINEAR } from '../support/growth.ts';

type Globs = { matchesGlobs: typeof matchesGlobs };
const GLOBS = import.meta.resolve('../../src/text/globs.ts');

describe('globs', () => {
  it.each([
    [['src/**'], 'src/a/b.ts', true],
    [['src/**'], 'docs/src/a.ts', false],
    [['src'], 'src/a/b.ts', true],
    [['./src/'], 'src/a.ts', true],
    [['**/*.css'], 'a.css', true],
    [['**/*.css'], 'web/deep/a.css', true],
    [['*.css'], 'web/a.css', false],
    [['web/*/index.html'], 'web/a/index.html', true],
    [['web/*/index.html'], 'web/a/b/index.html', false],
    [['web/**/index.html'], 'web/index.html', true],
    [['**/*.{css,scss}'], 'web/a.scss', true],
    [['**/*.{css,scss}'], 'web/a.sass', false],
    [['{docs/,./src/}'], 'docs/a.md', true],
    [['{docs/,./src/}'], 'src/a.ts', true],
    [['file?.txt'], 'file1.txt', true],
    [['*a?'], 'aab', true],
    [['a*a'], 'a', false],
    [['a*a'], 'aa', true],
    [['x*aa*aa*'], 'xaaa', false],
    [['x*aa*aa*'], 'xaaaa', true],
    [['a.b'], 'axb', false],
  ])('%j means %s: %p', (patterns, path, meant) => {
    expect(matchesGlobs(patterns, path)).toBe(meant);
  });

  it('lets the last pattern that fits decide', () => {
    const patterns = ['src/**', '!src/**/*.md', 'src/keep.md'];
    expect(['src/a.ts', 'src/a.md', 'src/keep.md', 'b.ts'].map((path) => matchesGlobs(patterns, path))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('means everything else where it only takes back', () => {
    expect(matchesGlobs(['!docs/**'], 'src/a.ts')).toBe(true);
    expect(matchesGlobs(['!docs/**'], 'docs/a.md')).toBe(false);
  });

  it.each([
    ['stars', `${'*a'.repeat(200)}b`, 'a'],
    ['a long end', `*${'a'.repeat(400)}b`, 'a'],
    ['folders', `${'**/'.repeat(100)}x`, 'b/'],
    ['alternatives', `${'{a,*a}'.repeat(6)}${'*a'.repeat(200)}b`, 'a'],
  ])('takes time by the length of the path, whatever the pattern: %s', async (_, pattern, part) => {
    expect(matchesGlobs([pattern], part.repeat(300))).toBe(false);
    const prepare = (globs: Globs, size: number, glob: string, repeated: string) => {
      const path = repeated.repeat(size);
      return () => globs.matchesGlobs([glob], path);
    };
    expect(await growth(GLOBS, prepare, pattern, part)).toBeLessThan(LINEAR);
  });

  it('take time by the length of the pattern and of the path together', async () => {
    const prepare = (globs: Globs, size: number) => {
      const [pattern, path] = [`*${'a'.repeat(size)}b`, 'a'.repeat(2 * size)];
      return () => globs.matchesGlobs([pattern], path);
    };
    expect(await growth(GLOBS, prepare)).toBeLessThan(LINEAR);
  });

  it.each([
    ['4 lists', (count: number) => ['{a,b}'.repeat(count), 'b'.repeat(count)], 4, 5],
    ['64 choices', (count: number) => [`{${Array.from({ length: count }, (_, at) => at).join(',')}}`, '1'], 64, 65],
    [
      '5,000 characters',
      (length: number) => [`{a,b}${'c'.repeat(length / 2 - 1)}`, `b${'c'.repeat(length / 2 - 1)}`],
      5000,
      5002,
    ],
  ])('takes alternatives as text above %s', (_, build, most, more) => {
    const isMatched = (size: number) => {
      const [pattern = '', path = ''] = build(size);
      return matchesGlobs([pattern], path);
    };
    expect([isMatched(most), isMatched(more)]).toEqual([true, false]);
  });

  it('takes alternatives as they are written, and those that stand in others', () => {
    expect(matchesGlobs(['{$&,b}.css'], '$&.css')).toBe(true);
    expect(['a', 'b', 'c', '{b,c}'].map((path) => matchesGlobs(['{a,{b,c}}'], path))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

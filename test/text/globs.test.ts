import { describe, expect, it } from '@jest/globals';
import { matchesGlobs } from '../../src/text/globs.ts';
import { LINEAR, growth } from '../support/growth.ts';

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
  ])('takes time by the length of the path, whatever the pattern: %s', (_, pattern, part) => {
    const grown = growth((size) => {
      const path = part.repeat(size);
      return () => expect(matchesGlobs([pattern], path)).toBe(false);
    });
    expect(grown).toBeLessThan(LINEAR);
  });

  it('leaves alternatives as they are that would be very many', () => {
    const many = '{a,b}'.repeat(7);
    expect(matchesGlobs([many], 'aaaaaaa')).toBe(false);
    expect(matchesGlobs([`{a,b}${'c'.repeat(5000)}`], `a${'c'.repeat(5000)}`)).toBe(false);
  });
});

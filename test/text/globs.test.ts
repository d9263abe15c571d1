import { describe, expect, it } from '@jest/globals';
import { matchesGlobs } from '../../src/text/globs.ts';

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

  it('takes no long time over any pattern', () => {
    const pattern = `${'*a'.repeat(200)}b`;
    expect(matchesGlobs([pattern, `${'**/'.repeat(100)}x`], `${'a'.repeat(4000)}/${'b/'.repeat(500)}c`)).toBe(false);
  });
});

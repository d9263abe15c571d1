import { describe, expect, it } from '@jest/globals';
import { parseConfigFile } from '../../../src/github/previews/config-file.ts';

const problemOf = (text: string) => parseConfigFile(text).problem;

describe('the configuration file of a repository', () => {
  it('says where previews are and what counts', () => {
    const text = [
      '# previews',
      'previewUrl: https://pr-{number}.example.app/{branch}',
      'ignoreDrafts: true',
      'paths:',
      '  - web/**',
      'runAfterMerge: true',
      'color: blue',
    ].join('\n');
    expect(parseConfigFile(text)).toEqual({
      problem: null,
      settings: {
        previewUrl: 'https://pr-{number}.example.app/{branch}',
        ignoreDrafts: true,
        paths: ['web/**'],
        runAfterMerge: true,
        unknownKeys: ['color'],
      },
    });
  });

  it.each(['', '# nothing\n', '---\n', 'previewUrl:\npaths: []\n'])('says nothing in %j', (text) => {
    expect(parseConfigFile(text).settings).toMatchObject({ previewUrl: null, ignoreDrafts: false, paths: null });
  });

  it('may name one pattern without a list', () => {
    expect(parseConfigFile('paths: web/**').settings?.paths).toEqual(['web/**']);
  });

  it.each([
    ['ignoreDrafts: true\npreviewUrl: [a', 'line 2'],
    ['paths: [a, b\nignoreDrafts: true\n', 'line 1: is not valid YAML'],
    ['previewUrl: "https://a.example\nignoreDrafts: true\n', '1 | previewUrl: "https://a.example'],
    ['ignoreDrafts: true\n\nignoreDrafts: false', 'line 3'],
    ['paths:\n  - a\n  - 7\n', 'line 3: paths must be text\n\n3 |   - 7'],
    ['ignoreDrafts: "yes"', 'line 1: ignoreDrafts must be true or false\n\n1 | ignoreDrafts: "yes"'],
    ['# a\npreviewUrl: /relative', 'line 2: previewUrl must be an absolute http(s) URL'],
    ['previewUrl: https://{pr}.example.app', 'uses {pr}, but only {number}, {branch} and {sha} are supported'],
    ['- a\n- b', 'line 1: must be a list of settings'],
    ['just text', 'line 1'],
  ])('is refused with the line quoted: %j', (text, said) => {
    expect(problemOf(text)).toContain(said);
    expect(problemOf(text)).toContain('.github/pixelgate.yml, line');
  });

  it('does not grow without end by aliases', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe']) {
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
    }
    expect(problemOf(bomb.join('\n'))).toContain('is not usable');
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseConfigFile, settingsFor, unknownKeys } from '../../../src/github/previews/config-file.ts';

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
        preview: null,
        suites: {},
        unknownKeys: ['color'],
      },
    });
  });

  it('says of each suite by its name what differs from the rest', () => {
    const { settings } = parseConfigFile(
      [
        'paths: [web/**]',
        'suites:',
        '  Docs:',
        '    preview:',
        '      environment: Preview – docs',
        '      context: [netlify/docs/*]',
        '    paths: docs/**',
        '    color: blue',
        '  Shop:',
        '    preview: { url: "https://pr-{number}.shop.test" }',
        '  empty:',
      ].join('\n'),
    );
    if (settings === null) throw new Error('The file was refused');
    const docs = { environment: ['Preview – docs'], context: ['netlify/docs/*'], check: [], url: null };
    expect(settingsFor(settings, 'docs')).toMatchObject({ preview: docs, paths: ['docs/**'], ignoreDrafts: false });
    expect(settingsFor(settings, 'Shop').preview?.url).toBe('https://pr-{number}.shop.test');
    expect(settingsFor(settings, 'Other')).toMatchObject({ preview: null, paths: ['web/**'] });
    expect(unknownKeys(settings, ['DOCS', 'Empty'])).toEqual(['suites.Docs.color', 'suites.shop']);
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
    [
      'suites:\n  Docs:\n    preview:\n      url: /x',
      'line 4: suites.Docs.preview.url must be an absolute http(s) URL',
    ],
    ['suites:\n  Docs:\n    preview:\n      enviroment: x', 'line 4: suites.Docs.preview must have only the keys'],
    ['suites:\n  Docs:\n    paths: [a, 7]', 'line 3: suites.Docs.paths must be text'],
    ['suites: [docs]', 'line 1: suites must be a list of suites by name'],
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

import { describe, expect, it } from '@jest/globals';
import { settingsFor, unknownSuites } from '../../../src/suites/config-file/config-file.ts';
import { parseConfigFile } from '../../../src/suites/config-file/parse-config-file.ts';

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
    ].join('\n');
    expect(parseConfigFile(text)).toEqual({
      problem: null,
      settings: {
        previewUrl: 'https://pr-{number}.example.app/{branch}',
        ignoreDrafts: true,
        paths: ['web/**'],
        runAfterMerge: true,
        preview: null,
        config: {},
        lines: {},
        suites: {},
      },
    });
  });

  it('has names of suites that JavaScript gives to every object', () => {
    const { settings, problem } = parseConfigFile('paths: [web/**]\nsuites:\n  toString:\n    paths: [docs/**]');
    expect(problem).toBeNull();
    expect(settings && settingsFor(settings, 'tostring').paths).toEqual(['docs/**']);
    for (const name of ['constructor', '__proto__', 'valueOf']) {
      expect(settings && settingsFor(settings, name)).toEqual({ ...settings, suites: undefined, lines: {} });
    }
    for (const key of ['__proto__', 'constructor']) {
      parseConfigFile(`suites:\n  ${key}:\n    paths: [docs/**]\n    toString: x\n${key}:\n  paths: [docs/**]`);
      expect(Reflect.get({}, 'paths')).toBeUndefined();
    }
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
    expect(unknownSuites(settings, ['DOCS', 'Empty'])).toEqual(['shop']);
  });

  it.each(['', '# nothing\n', '---\n', 'previewUrl:\npaths: []\n'])('says nothing in %j', (text) => {
    expect(parseConfigFile(text).settings).toMatchObject({ previewUrl: null, ignoreDrafts: false, paths: null });
  });

  it('may name one pattern without a list', () => {
    expect(parseConfigFile('paths: web/**').settings?.paths).toEqual(['web/**']);
  });

  it.each([
    ['ignoreDrafts: true\npreviewUrl: [a', 'line 2'],
    ['paths: [a, b\nignoreDrafts: true\n', 'line 1, column 8: is not valid YAML'],
    ['previewUrl: "https://a.example\nignoreDrafts: true\n', '1 | previewUrl: "https://a.example'],
    ['ignoreDrafts: true\n\nignoreDrafts: false', 'line 3'],
    ['paths:\n  - a\n  - 7\n', 'line 3, column 5: paths[1] must be text\n\n3 |   - 7\n  |     ^'],
    ['ignoreDrafts: "yes"', 'line 1, column 15: ignoreDrafts must be true or false\n\n1 | ignoreDrafts: "yes"'],
    ['# a\npreviewUrl: /relative', 'line 2, column 13: previewUrl must be an absolute http(s) URL'],
    ['previewUrl: https://{pr}.example.app', 'uses {pr}, but only {number}, {branch} and {sha} are supported'],
    [
      'suites:\n  Docs:\n    preview:\n      url: /x',
      'line 4, column 12: suites.Docs.preview.url must be an absolute http(s) URL',
    ],
    [
      'suites:\n  Docs:\n    preview:\n      enviroment: x',
      'line 4, column 7: suites.Docs.preview.enviroment is not a known setting. Did you mean environment?',
    ],
    ['suites:\n  Docs:\n    paths: [a, 7]', 'line 3, column 16: suites.Docs.paths[1] must be text'],
    [
      'suites:\n  Docs: { threshold: 0 }\n  docs: { maxPages: 5 }',
      'line 2, column 3: suites must name each suite once: upper and lower case are the same',
    ],
    ['suites: [docs]', 'line 1, column 9: suites must have settings below it'],
    ['color: blue', 'line 1, column 1: color is not a known setting.\n'],
    ['treshold: 0.1', 'treshold is not a known setting. Did you mean threshold?'],
    ['a: 1\nviewports: [{ name: a, width: 99, heigth: 3 }]\n', 'line 2, column 35: viewports[0].heigth is not'],
    ['viewports: [{ name: a, width: 400 }]', 'line 1, column 13: viewports[0].height is missing'],
    ['waitStrategy: loaded', 'line 1, column 15: waitStrategy must be load, domcontentloaded, or networkidle'],
    [
      'rules:\n  - paths: ["**"]\n    actions:\n      - type: clik',
      'line 4, column 15: rules[0].actions[0].type must be',
    ],
    ['rules:\n  - paths: ["**"]\n    mask: ["div["]', 'line 3, column 12: rules[0].mask[0] '],
    ['autoTrack: sometimes', 'line 1, column 12: autoTrack must be off, all, or an object with paths'],
    [
      'autoTrack:\n  paths: [a]\n  limit: 0',
      'line 3, column 10: autoTrack.limit must be a whole number from 1 to 10,000',
    ],
    ['autoTrack:\n  path: [a]', 'line 2, column 3: autoTrack.path is not a known setting. Did you mean paths?'],
    ['crawlOptions: { timeout: 1 }', 'line 1, column 26: crawlOptions.timeout must be a whole number from 1,000'],
    ['customCss: "\\0"', 'must not contain NUL'],
    ['? [a, b]\n: c', 'has a key that is not text'],
    ['paths: !include x', 'is not valid YAML'],
    ['- a\n- b', 'line 1, column 1: the file must have settings'],
    ['just text', 'line 1'],
  ])('is refused with the line quoted: %j', (text, said) => {
    expect(problemOf(text)).toContain(said);
    expect(problemOf(text)).toContain('.github/pixelgate.yml, line');
  });

  it('holds the configuration of suites, and knows the line of each setting', () => {
    const { settings } = parseConfigFile(
      [
        '$schema: https://pixelgate.example.com/schema.json',
        'threshold: 0.2',
        'viewports: &screens',
        '  - { name: wide, width: 1920, height: 1080 }',
        'crawlOptions:',
        '  timeout: 5000',
        'settle:',
        'suites:',
        '  Docs:',
        '    viewports: *screens',
        '    preview: { environment: docs }',
        '    crawlOptions: { followSitemap: false }',
        '    threshold:',
      ].join('\n'),
    );
    if (settings === null) throw new Error('The file was refused');
    const shop = settingsFor(settings, 'Shop');
    expect(shop.config).toMatchObject({ threshold: 0.2, crawlOptions: { timeout: 5000 }, settle: null });
    expect(shop.config.viewports?.map(({ name }) => name)).toEqual(['wide']);
    expect(shop.lines).toEqual({
      threshold: 2,
      viewports: 3,
      'crawlOptions.timeout': 6,
      'settle.quiet': 7,
      'settle.network': 7,
      'settle.timeout': 7,
    });
    const docs = settingsFor(settings, 'docs');
    expect(docs.config).toMatchObject({ threshold: null, crawlOptions: { timeout: 5000, followSitemap: false } });
    expect(docs.config.preview).toEqual({ environment: 'docs' });
    expect(docs.lines).toMatchObject({ threshold: 13, viewports: 10, 'crawlOptions.followSitemap': 12, preview: 11 });
  });

  it('says all that is wrong, in the order of the file, and no more than ten', () => {
    const text = ['maxPages: 0', 'nope: 1', 'threshold: 7', ...Array.from({ length: 20 }, (_, n) => `x${n}: 1`)].join(
      '\n',
    );
    const lines = [...(problemOf(text) ?? '').matchAll(/, line (\d+)/g)].map((match) => match[1]);
    expect(lines).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(problemOf(text)).toContain('…and 13 more problems.');
  });

  it.each([
    ['complex keys', '? '.repeat(400)],
    ['keys', Array.from({ length: 8000 }, (_, n) => `k${n}: 1`).join('\n')],
    ['aliases', Array.from({ length: 5000 }, (_, n) => `- &a${n} 1\n- *a${n}`).join('\n')],
    ['depth', '['.repeat(60_000)],
  ])('comes to an end with many %s', (_what, text) => {
    expect(problemOf(text)).not.toBeNull();
  });

  it('does not grow without end by aliases', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe']) {
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
    }
    expect(problemOf(bomb.join('\n'))).toContain('more than 50000 values');
    expect(problemOf('rules: &a [*a]')).toContain('*a is inside the value that it refers to');
  });
});

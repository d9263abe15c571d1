import { describe, expect, it } from '@jest/globals';
import { readRobotsFile } from '../../../src/pages/crawl/robots-file.ts';
import { growth, LINEAR } from '../../support/growth.ts';

type RobotsFiles = { readRobotsFile: typeof readRobotsFile };
const ROBOTS_FILES = import.meta.resolve('../../../src/pages/crawl/robots-file.ts');

const read = (text: string, userAgent = 'Pixelgate/1.0 (+https://pixelgate.test)') =>
  readRobotsFile(Buffer.from(text), userAgent);

const allows = (rules: string, path: string) => read(`User-agent: *\n${rules}`).isAllowed(path);

describe('a robots.txt', () => {
  it('has rules that hold from the beginning of a path', () => {
    expect(allows('Disallow: /fish', '/fishheads/yummy.html?id=1')).toBe(false);
    expect(allows('Disallow: /fish', '/Fish')).toBe(true);
    expect(allows('Disallow: /fish/', '/fish')).toBe(true);
    expect(allows('Disallow:', '/fish')).toBe(true);
    expect(allows('Disallow: private', '/private')).toBe(false);
  });

  it.each([
    ['/*.php', '/folder/file.php?x', true],
    ['/*.php', '/windows.PHP', false],
    ['/*.php$', '/folder/file.php', true],
    ['/*.php$', '/file.php?x', false],
    ['/*.php$', '/file.php/', false],
    ['/fish*.php', '/fishheads/catfish.php?id=2', true],
    ['/fish*.php', '/Fish.PHP', false],
    ['/a*b*c', '/a-c-b', false],
    ['/a*b*c', '/a-b-b-c', true],
    ['/*aab$', '/aaaab', true],
    ['/*ab*b$', '/ab', false],
    ['/a$', '/a', true],
    ['/a$', '/ab', false],
    ['/a*$', '/ab', true],
    ['*', '/', true],
    ['/**', '/x', true],
    ['/a$b', '/a$b', true],
  ])('has a wildcard: %s and %s', (rule, path, matches) => {
    expect(allows(`Disallow: ${rule}`, path)).toBe(!matches);
  });

  it('is decided by the longest rule, and of equal ones by Allow', () => {
    expect(allows('Disallow: /\nAllow: /p', '/page')).toBe(true);
    expect(allows('Allow: /folder\nDisallow: /folder', '/folder/page')).toBe(true);
    expect(allows('Disallow: /page\nAllow: /*.htm', '/page.htm')).toBe(true);
    expect(allows('Allow: /$\nDisallow: /', '/')).toBe(true);
    expect(allows('Allow: /$\nDisallow: /', '/page')).toBe(false);
  });

  it('spells bytes in any way', () => {
    expect(allows('Disallow: /caf%C3%A9', '/caf%c3%a9')).toBe(false);
    expect(allows('Disallow: /café', '/caf%C3%A9')).toBe(false);
    expect(allows('Disallow: /%7Ejoe/', '/~joe/x')).toBe(false);
    expect(allows('Disallow: /a%2fb', '/a/b')).toBe(true);
  });

  it('has groups for crawlers, of which equal ones count as one', () => {
    const file = [
      '\uFEFFuser-agent: other\nUser-Agent : PixelGate/2 # us\nDisallow: /one',
      'Sitemap: /map.xml\nUser-agent: *\nDisallow: /',
      'User-agent: pixelgate\nDisallow: /two\nCrawl-delay: 2.5',
    ].join('\r\n');
    const rules = read(file);
    expect(['/one', '/two', '/three'].map((path) => rules.isAllowed(path))).toEqual([false, false, true]);
    expect(rules).toMatchObject({ crawlDelay: 2.5, sitemaps: ['/map.xml'] });
    expect(read(file, 'Somebody').isAllowed('/three')).toBe(false);
    expect(read('Disallow: /\n:\nnonsense').isAllowed('/')).toBe(true);
  });

  it('is read as far as 500 KiB', () => {
    const filler = '# nothing\n'.repeat(52_000);
    expect(allows(`${filler}Disallow: /`, '/')).toBe(true);
    expect(allows(`${filler.slice(0, 500_000)}\nDisallow: /`, '/')).toBe(false);
  });
});

describe('the work for a path', () => {
  it.each([`/${'*a'.repeat(200)}*b`, `/*${'a'.repeat(500)}b`, `/${'*a*'.repeat(100)}b$`])(
    'grows with the path and no faster, whatever the wildcards: %s',
    async (rule) => {
      const rules = `User-agent: *\n${`Disallow: ${rule}\n`.repeat(20)}`;
      expect(read(rules).isAllowed(`/${'a'.repeat(600)}`)).toBe(true);
      const prepare = (robots: RobotsFiles, size: number, text: string) => {
        const file = robots.readRobotsFile(Buffer.from(text), 'Pixelgate');
        const path = `/${'a'.repeat(size)}`;
        return () => file.isAllowed(path);
      };
      expect(await growth(ROBOTS_FILES, prepare, rules)).toBeLessThan(LINEAR);
    },
  );

  it('does not grow with wildcards past a thousand', () => {
    const last = read(`User-agent: *\n${'Disallow: /*x\n'.repeat(1000)}Disallow: /*b\nDisallow: /plain`);
    expect(last.isAllowed('/ab')).toBe(true);
    expect(last.isAllowed('/plain')).toBe(false);
  });
});

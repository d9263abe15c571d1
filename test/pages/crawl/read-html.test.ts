import { describe, expect, it } from '@jest/globals';
import { decodeText, isHtmlType, isLikelyPage, looksLikeHtml } from '../../../src/pages/crawl/decode-text.ts';
import { readHtml, tidyTitle } from '../../../src/pages/crawl/read-html.ts';
import { readSitemap } from '../../../src/pages/crawl/read-sitemap.ts';

const read = (html: string) => readHtml(html, 'http://site.test/dir/page');

describe('readHtml', () => {
  it("takes the page's own title, entities decoded", () => {
    expect(
      read('<svg><title>Icon</title></svg><title>A &amp; B &#8211; &eacute;</title><title>Second</title>').title,
    ).toBe('A & B – é');
    expect(read('<template><title>No</title></template><p>x').title).toBeNull();
    expect(read('<title>Never closed').title).toBe('Never closed');
  });

  it('reads broken markup as far as it goes', () => {
    const { links } = read(
      '<p><a href=a>1<a href="b">2</p><div><a href=\'c\'>3<script>"<a href=no>"</script><!--<a href=no>--><a href=d',
    );
    expect(links).toEqual(['http://site.test/dir/a', 'http://site.test/dir/b', 'http://site.test/dir/c']);
  });

  it('is not led astray by elements named like properties', () => {
    expect(read('<constructor><__proto__><a href="x">x</a>').links).toEqual(['http://site.test/dir/x']);
  });

  it('ignores what a browser with scripts ignores', () => {
    const facts = read(
      '<noscript><meta http-equiv=refresh content="0;url=/nojs"></noscript><template><a href=t></a></template>',
    );
    expect(facts).toMatchObject({ refresh: null, links: [] });
    expect(read('<meta http-equiv=Refresh content="0; URL=\'/next\'">').refresh).toBe('http://site.test/next');
    expect(read('<meta http-equiv=refresh content="0">').refresh).toBeNull();
  });

  it('follows links in the shadow roots that a document declares', () => {
    const inert = '<template><b><template shadowrootmode=open><a href=no></a></template></b><a href=no></a></template>';
    const facts = read(
      `<x-nav><template ShadowRootMode="Open"><a href=a></a>${inert}<a href=b></a></template></x-nav><a href=c></a>`,
    );
    expect(facts.links).toEqual(['a', 'b', 'c'].map((name) => `http://site.test/dir/${name}`));
  });

  it('tells data blocks from scripts', () => {
    expect(read('<script type="application/ld+json">{}</script>').hasScripts).toBe(false);
    expect(read('<script type="module" src="x"></script>').hasScripts).toBe(true);
    expect(read('<script>1</script>').hasScripts).toBe(true);
  });
});

describe('tidyTitle', () => {
  it('bounds a title, and leaves nothing that PostgreSQL refuses', () => {
    expect(tidyTitle('\u0000 a\u0000\n\t b\u00a0 ')).toBe('a b');
    expect(tidyTitle('x\ud800y')).toBe('x\ufffdy');
    expect(tidyTitle(' \n ')).toBeNull();
    const long = tidyTitle('😀'.repeat(5000)) ?? '';
    expect(Array.from(long)).toHaveLength(300);
    expect(long.endsWith('😀…')).toBe(true);
  });
});

describe('decodeText', () => {
  it('believes the byte order mark, then the header, then the document', () => {
    const latin = Buffer.from('<meta charset=latin1>é', 'latin1');
    expect(decodeText(latin, 'text/html')).toContain('é');
    expect(decodeText(Buffer.from('<meta charset=latin1>é'), 'text/html; charset="UTF-8"')).toContain('é');
    expect(decodeText(Buffer.from('\ufeffé', 'utf16le'), 'text/html; charset=utf-8')).toBe('é');
    expect(decodeText(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>é', 'latin1'), '')).toContain('é');
    expect(decodeText(Buffer.from('<meta charset="utf-16">é'), '')).toContain('é');
    expect(decodeText(Buffer.from('é'), 'text/html; charset=no-such')).toBe('é');
  });
});

describe('readSitemap', () => {
  it('reads pages and nested files, whatever the prefix, and no images', () => {
    const xml =
      '<?xml version="1.0"?><s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>http://a.test/?x=1&amp;y=2</s:loc>' +
      '<image:image><image:loc>http://a.test/p.png</image:loc></image:image></s:url><s:url><s:loc><![CDATA[http://a.test/b]]></s:loc></s:url></s:urlset>';
    expect(readSitemap(xml)).toEqual({
      pages: ['http://a.test/?x=1&y=2', 'http://a.test/b'],
      sitemaps: [],
      problem: null,
    });
    expect(
      readSitemap('<sitemapindex><sitemap><loc>\nhttp://a.test/s.xml </loc></sitemap></sitemapindex>')?.sitemaps,
    ).toEqual(['http://a.test/s.xml']);
    expect(readSitemap('<!doctype html><title>Not found</title>')).toBeNull();
    expect(readSitemap('<urlset/>')).toEqual({ pages: [], sitemaps: [], problem: null });
  });
});

describe('what may be a page', () => {
  it('is told by extension before the request and by content type after it', () => {
    expect(['/a.png', '/a.PDF?x', '/d/a.tar.gz', '/feed.rss'].filter(isLikelyPage)).toEqual([]);
    const pages = ['/', '/a', '/a.html', '/a.php?f=x.png', '/v1.2', '/wiki/Node.js', '/a.b/c'];
    expect(pages.filter(isLikelyPage)).toEqual(pages);
    expect(isHtmlType('Text/HTML; charset=x')).toBe(true);
    expect(isHtmlType('application/xhtml+xml')).toBe(true);
    expect(isHtmlType('text/html, text/html; charset=utf-8')).toBe(true);
    expect(isHtmlType('text/plain')).toBe(false);
    expect(looksLikeHtml('\n<!-- c --><!DOCTYPE html>')).toBe(true);
    expect(looksLikeHtml('%PDF-1.4 <html>')).toBe(false);
  });
});

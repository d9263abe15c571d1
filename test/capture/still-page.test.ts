import { describe, expect, it } from '@jest/globals';
import { isPlainDocument } from '../../src/capture/still-page.ts';
import { html } from './site.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

describe('a document that can run no script', () => {
  it.each([
    ['text and pictures', html('<h1>Hello</h1><img src="a.png"><p>Based on = sign, ? x : y</p>'), HTML],
    ['styles', html('<style>p:hover { color: red }</style><link rel="stylesheet" href="a.css">'), HTML],
    ['no encoding in its header', html('<p>Hello'), { 'content-type': 'text/html' }],
    ['Latin 1', html('<p>Grüße'), { 'content-type': 'text/html;charset=ISO-8859-1' }],
  ])('has %s', (_what, page, headers) => {
    expect(isPlainDocument(headers, Buffer.from(page, 'latin1'))).toBe(true);
  });

  it.each([
    ['a script', html('<script>late()</script>'), HTML],
    ['a script of data, too: it would take a parser to tell', html('<script type="application/json">1</script>'), HTML],
    ['a script in capitals', html('<SCRIPT src="a.js"></SCRIPT>'), HTML],
    ['a script in a drawing', html('<svg><script href="a.js"/></svg>'), HTML],
    ['a handler', html('<img src="a.png" onload="late()">'), HTML],
    ['a handler after a slash', html('<img/onerror=late()>'), HTML],
    ['a handler after a quotation mark', html('<img src="a.png"onload = late()>'), HTML],
    ['a handler on a line of its own', html('<body\nOnPageShow="late()">'), HTML],
    ['a link that runs a script', html('<a href="JavaScript:late()">Go</a>'), HTML],
    ['a shadow root', html('<div><template shadowrootmode="open"></template></div>'), HTML],
    ['a refresh in its headers', html('<p>'), { ...HTML, refresh: '3; url=/other' }],
    ['XML, in which elements have any prefix', html('<p>'), { 'content-type': 'application/xhtml+xml' }],
    ['no type', html('<p>'), {}],
    ['UTF-16', html('<p>'), { 'content-type': 'text/html; charset=utf-16le' }],
    ['an encoding with escapes', html('<p>'), { 'content-type': 'text/html; charset=ISO-2022-JP' }],
    ['an escape', html('<p>\u001b$B'), HTML],
    ['a byte order mark of UTF-16', 'ÿþ<\0p\0', HTML],
  ])('has not: %s', (_what, page, headers) => {
    expect(isPlainDocument(headers, Buffer.from(page, 'latin1'))).toBe(false);
  });
});

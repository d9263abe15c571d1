import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageAddress, pageUrl } from '../../src/pages/page-identity.ts';

/** What addresses are made of, and what makes them hard to read: stray and doubled percent signs, dots, parameters. */
const PIECES = [
  ['/', '//', '.', '..', '%', '%2', '%2E', '%2e', '%25', '%2F', '%32', '%45', '%41', '%7e', '%C3%A9', '%c3'],
  ['a', 'B', '2', 'E', 'é', ' ', '~', '_', ';', '\\', '\t', '"', '+', ':', '@', '[', '|', '\u0000', '😀'],
  ['?', '&', '=', 'utm_source=', '%75tm_x', 'gclid', 'q=1', 'b&c', ';jsessionid=', 'sid='],
].flat();

const tail = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
const origin = fc.constantFrom('http://a.test', 'https://a.test', 'http://a.test:8080', 'http://[::1]:3000');
const address = fc.tuple(origin, tail).map(([start, rest]) => `${start}/${rest}`);

describe('the identity of any page', () => {
  it('is the same again when its own address is read', () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.webUrl({ withQueryParameters: true, withFragments: true })), (text) => {
        const once = pageAddress(text);
        fc.pre(once !== null);
        expect(pageAddress(once.url)).toEqual(once);
        expect(pageUrl(once.url, once.path)).toBe(once.url);
      }),
      { numRuns: 1500 },
    );
  });

  it('does not depend on fragment, credentials, spelling of the host or default port', () => {
    fc.assert(
      fc.property(tail, tail, (rest, fragment) => {
        // White space at the end of an address is no part of it.
        const plain = pageAddress(`https://a.test/${rest}x`);
        expect(pageAddress(`https://me:secret@A.TEST:443/${rest}x#${fragment}`)).toEqual(plain);
      }),
      { numRuns: 400 },
    );
  });

  it('is the same path on every host, and parameters that track do not change it', () => {
    const tracking = fc.constantFrom('utm_source=x', 'GCLID=1', '%75tm_medium', 'fbclid=%41', '');
    fc.assert(
      fc.property(address, tracking, (text, parameter) => {
        const here = pageAddress(text);
        fc.pre(here !== null);
        expect(pageAddress(pageUrl('https://preview.test', here.path))?.path).toBe(here.path);
        const joint = here.path.includes('?') ? '&' : '?';
        expect(pageAddress(here.url + joint + parameter)).toEqual(here);
      }),
      { numRuns: 400 },
    );
  });
});

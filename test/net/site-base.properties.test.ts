import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressAt, addressOnSite, isBelow, siteBase } from '../../src/net/site-base.ts';
import { pageAddress } from '../../src/pages/page-identity.ts';
import { runs } from '../support/property-runs.ts';

const PIECES = [
  '/',
  '//',
  '.',
  '..',
  '%2E',
  '%2F',
  '%C3%A9',
  '%7e',
  'a',
  'B',
  'é',
  ' ',
  '~',
  ':',
  '@',
  'pr-7',
  'x.html',
];
const text = (pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((chosen) => chosen.join(''));
const folder = text(PIECES);
const baseUrl = fc
  .tuple(fc.constantFrom('https://s.test', 'http://s.test:8080', 'https://p.test'), folder)
  .map(([origin, rest]) => `${origin}/${rest}`);
const tail = text([...PIECES, '?', '&', 'q=/pr-7/', '=']);

/** A page of the site: what a crawl or a person makes of an address below its base. */
const page = (base: { origin: string; path: string }, rest: string) => pageAddress(base.origin + base.path + rest);

describe('a page of any site at any preview', () => {
  it('is below the preview, and its address there leads back to its own on the site', () => {
    fc.assert(
      fc.property(baseUrl, baseUrl, tail, (preview, own, rest) => {
        const [base, site] = [siteBase(preview), siteBase(own)];
        const found = page(site, rest);
        fc.pre(found !== null && found.path.startsWith(site.path));
        // After `//`, dots may be left in a path, which go when the address, or a longer one, is read again.
        fc.pre(pageAddress(found.url)?.url === found.url);
        fc.pre(![found.path, base.path].some((path) => /\/\.{1,2}(\/|\?|$)/.test(path)));
        const address = addressAt(base, site, found.path);
        expect(address).not.toBeNull();
        expect(isBelow(base, address ?? '')).toBe(true);
        expect(addressOnSite(base, site, address ?? '')).toBe(found.url);
        expect(pageAddress(address ?? '')?.url).toBe(address);
      }),
      runs(1500),
    );
  });

  it('is at one address, whether the bases end in a slash or not', () => {
    fc.assert(
      fc.property(folder, folder, tail, (preview, own, rest) => {
        const site = siteBase(`https://s.test/x${own}y`);
        const found = page(site, rest);
        fc.pre(found !== null);
        const at = (slash: string) =>
          addressAt(
            siteBase(`https://p.test/x${preview}y${slash}`),
            siteBase(`https://s.test/x${own}y${slash}`),
            found.path,
          );
        expect(at('/')).toBe(at(''));
      }),
      runs(500),
    );
  });

  it('is another address for another page', () => {
    fc.assert(
      fc.property(baseUrl, baseUrl, tail, tail, (preview, own, one, other) => {
        const [base, site] = [siteBase(preview), siteBase(own)];
        const [first, second] = [page(site, one)?.path ?? '', page(site, other)?.path ?? ''];
        fc.pre(first !== second && first.startsWith(site.path) && second.startsWith(site.path));
        expect(addressAt(base, site, first)).not.toBe(addressAt(base, site, second));
      }),
      runs(500),
    );
  });
});

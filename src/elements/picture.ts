import { orNull } from '../errors.ts';
import { sha256Of } from '../text/sha256.ts';

/** Instead of a hash, for an image that did not load and so shows nothing. */
export const FAILED = 'failed';

/** Before the places of other elements among an element's own words. */
export const PARTS = 'parts ';

/** Prefix of a hash of screenshot pixels, which can only be compared at whole pixels and in the same size. */
export const PIXELS = 'pixels ';

const LENGTH = 16;

/** A hash of the bytes of an image, or of something else that is drawn. */
export const hashPicture = (content: string | Buffer): string => sha256Of(content).slice(0, LENGTH);

export function hashDataUrl(url: string): string {
  const [, head = '', data = ''] = /^data:([^,]*),(.*)$/is.exec(url) ?? [];
  if (/;base64$/i.test(head)) return hashPicture(Buffer.from(data, 'base64'));
  return hashPicture(orNull(() => decodeURIComponent(data)) ?? data);
}

/** An address without the parts that differ between a site and its preview, or from load to load. */
export const shortenAddress = (url: string): string =>
  url.replace(/^blob:.*$/is, 'blob:').replace(/^(?:https?:)?\/\/[^/]*/i, '');

const isData = (url: string) => /^data:/i.test(url);

/** An address as people read it. */
const showAddress = (url: string) => (isData(url) ? url.slice(0, url.search(/[;,]|$/)) : shortenAddress(url));

/** Addresses in a style, with their hashes if known: `url("/logo.png" 0f3a…)`. */
const ADDRESS = /url\("((?:[^"\\]|\\.)*)"(?: (\w+))?\)/g;

/** The style with its addresses replaced, and the same hashes. */
export const replaceAddresses = (style: string, replace: (url: string) => string): string =>
  style.replaceAll(
    ADDRESS,
    (_, url: string, hash: string | undefined) => `url("${replace(url)}"${hash === undefined ? '' : ` ${hash}`})`,
  );

/** The style with addresses in the form that maps keep. `hashOf` returns null if a hash is unknown. */
export function signAddresses(style: string, hashOf: (url: string) => string | null): string {
  return style.replaceAll(ADDRESS, (_, url: string) => {
    const hash = hashOf(url.replaceAll(/\\(.)/g, '$1'));
    return `url("${showAddress(url)}"${hash === null ? '' : ` ${hash}`})`;
  });
}

/** Whether the style shows images and the bytes of all of them are known. */
export const isSigned = (style: string): boolean =>
  style.includes('url(') && addressesIn(style).every(({ hash }) => hash !== null);

const addressesIn = (style: string): { url: string; hash: string | null }[] =>
  [...style.matchAll(ADDRESS)].map(([, url = '', hash = null]) => ({ url: (isData(url) ? hash : null) ?? url, hash }));

/**
 * Both styles in the form in which they are compared: by the bytes of images if all are known, otherwise by addresses.
 */
export function compareAddresses(before: string, after: string): [string, string] {
  if (!before.includes('url(') && !after.includes('url(')) return [before, after];
  const isKnown = [before, after].every((style) => addressesIn(style).every(({ hash }) => hash !== null));
  const replace = (style: string) => {
    const addresses = addressesIn(style).values();
    return style.replaceAll(ADDRESS, () => {
      const { url, hash } = addresses.next().value ?? { url: '', hash: null };
      return `url(${isKnown ? hash : url})`;
    });
  };
  return [replace(before), replace(after)];
}

/** As people read it. */
export const withoutHashes = (style: string): string =>
  style.replaceAll(
    ADDRESS,
    (_, url: string, hash?: string) => `url("${url}")${hash === FAILED ? ' (not loaded)' : ''}`,
  );

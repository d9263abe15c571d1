import { createHash } from 'node:crypto';

/** In place of a hash: it did not load, so it shows nothing. */
export const FAILED = 'failed';

/** Before the places of other elements among an element's own words. */
export const PARTS = 'parts ';

/** Before the hash of pixels of the screenshot: the same only where it is drawn at whole pixels and in the same size. */
export const PIXELS = 'pixels ';

const LENGTH = 16;

/** Of the bytes of an image, or of what else draws something. */
export const hashPicture = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, LENGTH);

/** The hash of an image that is written out in its address. */
export function hashDataUrl(url: string): string {
  const [, head = '', data = ''] = /^data:([^,]*),(.*)$/is.exec(url) ?? [];
  if (/;base64$/i.test(head)) return hashPicture(Buffer.from(data, 'base64'));
  try {
    return hashPicture(decodeURIComponent(data));
  } catch {
    return hashPicture(data);
  }
}

/** An address without what differs between a site and its preview, or each time a page is loaded. */
export const shortenAddress = (url: string): string =>
  url.replace(/^blob:.*$/is, 'blob:').replace(/^(?:https?:)?\/\/[^/]*/i, '');

const isData = (url: string) => /^data:/i.test(url);

/** What people read of an address. */
const showAddress = (url: string) => (isData(url) ? url.slice(0, url.search(/[;,]|$/)) : shortenAddress(url));

/** Addresses in a style, with their hashes where these are known: `url("/logo.png" 0f3a…)`. */
const ADDRESS = /url\("((?:[^"\\]|\\.)*)"(?: (\w+))?\)/g;

/** The style with other addresses, and the same hashes. */
export const replaceAddresses = (style: string, replace: (url: string) => string): string =>
  style.replaceAll(
    ADDRESS,
    (_, url: string, hash: string | undefined) => `url("${replace(url)}"${hash === undefined ? '' : ` ${hash}`})`,
  );

/** The style with addresses as maps keep them. `hashOf` gives null where a hash is not known. */
export function signAddresses(style: string, hashOf: (url: string) => string | null): string {
  return style.replaceAll(ADDRESS, (_, url: string) => {
    const hash = hashOf(url.replaceAll(/\\(.)/g, '$1'));
    return `url("${showAddress(url)}"${hash === null ? '' : ` ${hash}`})`;
  });
}

/** Whether the style shows images, all of which are known by their bytes. */
export const isSigned = (style: string): boolean =>
  style.includes('url(') && addressesIn(style).every(({ hash }) => hash !== null);

type Address = { url: string; hash: string | null };

/** Older maps keep whole addresses, and no hashes. */
const addressesIn = (style: string): Address[] =>
  [...style.matchAll(ADDRESS)].map(([, url = '', hash]) => {
    if (!isData(url)) return { url: shortenAddress(url), hash: hash ?? null };
    const content = hash ?? hashDataUrl(url);
    return { url: content, hash: content };
  });

/** Both styles as they are compared: by the bytes of images where all are known, else by addresses. */
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
    (_, url: string, hash?: string) => `url("${showAddress(url)}")${hash === FAILED ? ' (not loaded)' : ''}`,
  );

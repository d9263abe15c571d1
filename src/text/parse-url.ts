import { orNull } from '../errors.ts';

/**
 * Null: it is no absolute URL, and no URL relative to `base`. `URL.canParse` in Node.js 20 is wrong about hosts such as
 * `müller.de` once the engine has compiled its caller, which takes some thousand calls.
 */
export function parseUrl(text: string, base?: string): URL | null {
  return orNull(() => new URL(text, base));
}

/** The port of an http(s) URL, also where it is the usual one and so left out. */
export function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** An address that a page led to, for a message: its query and fragment may hold a token. */
export function tellAddress(address: string): string {
  const url = new URL(address);
  Object.assign(url, { username: '', password: '', search: '', hash: '' });
  return url.href;
}

/** Without any number of slashes at the end. Linear, which a regular expression for it is not. */
export function withoutSlash(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

import { orNull } from '../errors.ts';

/**
 * Null: it is no absolute URL, and no URL relative to `base`. `URL.canParse` in Node.js 20 is wrong about hosts such as
 * `müller.de` once the engine has compiled its caller, which takes some thousand calls.
 */
export function parseUrl(text: string, base?: string): URL | null {
  return orNull(() => new URL(text, base));
}

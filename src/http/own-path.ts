import { parseUrl } from '../text/parse-url.ts';

/** Browsers treat `//host` and `/\host` as another site, and `/.//host` becomes `//host` when it is resolved. */
const PATH = /^\/(?![/\\])/;

/**
 * Turns what a browser sent into a path of this service, so that nobody is redirected to another site. Anything else
 * becomes the start page.
 */
export function ownPath(to: string | null | undefined): string {
  if (to === null || to === undefined) return '/';
  const base = 'http://own.invalid';
  const url = PATH.test(to) ? parseUrl(to, base) : null;
  return url?.origin === base && PATH.test(url.pathname) ? url.pathname + url.search + url.hash : '/';
}

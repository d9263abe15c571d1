/** `//host` and `/\host` lead a browser elsewhere; `/.//host` becomes such a one when it is resolved. */
const PATH = /^\/(?![/\\])/;

/** A path of our own from what a browser sent, so that nobody is led to another site; anything else is the start page. */
export function ownPath(to: string | null | undefined): string {
  if (to === null || to === undefined) return '/';
  const base = 'http://own.invalid';
  if (!PATH.test(to) || !URL.canParse(to, base)) return '/';
  const url = new URL(to, base);
  return url.origin === base && PATH.test(url.pathname) ? url.pathname + url.search + url.hash : '/';
}

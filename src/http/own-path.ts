/** A path of our own from what a browser sent, so that nobody is led to another site; anything else is the start page. */
export function ownPath(to: string | null | undefined): string {
  if (to === null || to === undefined) return '/';
  const base = 'http://own.invalid';
  if (!/^\/(?![/\\])/.test(to) || !URL.canParse(to, base)) return '/';
  const url = new URL(to, base);
  return url.origin === base ? url.pathname + url.search + url.hash : '/';
}

/**
 * Globs for one page and no other, as rules match them. A glob also matches everything below its path, so the second
 * one excludes that. For a path without a query, pages with other queries match as well.
 */
export function globsForPage(path: string): string[] {
  // Braces are alternatives in globs. A question mark also matches itself.
  const glob = path.replaceAll(/[{}]/g, '?');
  // Nothing is below it, and its query would look like a name there.
  if (glob === '/') return [glob];
  return [glob, `!${glob.replace(/\/$/, '')}/?*`];
}

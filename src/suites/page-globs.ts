/**
 * Globs for one page and no other, as rules match them. A glob also matches what is below its path, which the second one
 * takes out again. Of a path without a query, the page with another query counts as the same.
 */
export function globsForPage(path: string): string[] {
  // Braces are alternatives in globs. A question mark stands for itself as well.
  const glob = path.replaceAll(/[{}]/g, '?');
  // Nothing is below it, and its query would look like a name there.
  if (glob === '/') return [glob];
  return [glob, `!${glob.replace(/\/$/, '')}/?*`];
}

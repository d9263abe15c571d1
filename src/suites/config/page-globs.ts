import { compileGlobs } from '../../text/globs.ts';
import { encodeTyped } from '../../text/readable-path.ts';

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

/** `compileGlobs` for the paths of pages, which have everything outside of ASCII encoded. */
export const compilePageGlobs = (globs: readonly string[]) => compileGlobs(globs.map(encodeTyped));

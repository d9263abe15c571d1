import { orNull } from '../../errors.ts';
import { withoutSlash } from '../../text/without-slash.ts';

/** The response of a static host: a file, with its status, or a redirect to a directory's own address. */
export type Found = { path: string; status: 200 | 404 } | { redirect: string };

const decode = (pathname: string) => orNull(() => decodeURIComponent(pathname));

function findAt(
  has: (path: string) => boolean,
  path: string,
  isDirectory: boolean,
): 'directory' | { file: string } | null {
  const index = path === '' ? 'index.html' : `${path}/index.html`;
  const candidates = isDirectory ? [index, `${path}.html`] : [path, `${path}.html`];
  const file = candidates.find(has);
  if (file !== undefined) return { file };
  return !isDirectory && has(index) ? 'directory' : null;
}

/** The nearest 404 page, where hosts look for it: in the address's own directory, then in its parents. */
function findNotFound(has: (path: string) => boolean, path: string): string | null {
  const segments = path.split('/');
  for (let depth = segments.length - 1; depth >= 0; depth -= 1) {
    const page = [...segments.slice(0, depth), '404.html'].join('/');
    if (has(page)) return page;
  }
  return null;
}

/**
 * The file at an address: itself, with `.html`, or `index.html` of the directory. A site below a path may have been
 * built with that path or without it.
 * @param base the path of the suite's base, which the build may leave out
 * @returns null when there is none, and no 404 page either
 */
export function findBuildPath(has: (path: string) => boolean, base: string, pathname: string): Found | null {
  const decoded = decode(pathname);
  if (decoded === null) return null;
  const root = decode(base) ?? base;
  if (root !== '/' && root === `${decoded}/`) return { redirect: `${pathname}/` };
  const roots = root !== '/' && decoded.startsWith(root) ? [root, '/'] : ['/'];
  for (const each of roots) {
    const rest = decoded.slice(each.length);
    const found = findAt(has, withoutSlash(rest), rest === '' || rest.endsWith('/'));
    if (found === 'directory') return { redirect: `${pathname}/` };
    if (found !== null) return { path: found.file, status: 200 };
  }
  const [first = '/'] = roots;
  const missing = findNotFound(has, decoded.slice(first.length)) ?? (has('404.html') ? '404.html' : null);
  return missing === null ? null : { path: missing, status: 404 };
}

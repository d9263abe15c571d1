import mime from 'mime-types';
import { z } from 'zod';
import { keepNewest } from '../../async/keep-newest.ts';
import { CaptureError } from '../../capture/browser/browser.ts';
import type { SiteAnswers } from '../../capture/browser/capture-request.ts';
import type { Context } from '../../context.ts';
import { orNull } from '../../errors.ts';
import type { SiteBase } from '../../net/site-base.ts';
import { buildFileName, buildListName } from '../../storage/object-name.ts';
import { withoutSlash } from '../../text/parse-url.ts';
import { findBuild } from './build-store.ts';
import { buildName, type Build } from './build.ts';

/** The response of a static host: a file, with its status, or a redirect to a directory's own address. */
type Found = { path: string; status: 200 | 404 } | { redirect: string };

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

const FileList = z.array(z.object({ path: z.string(), sha256: z.string() }));

/** The file lists of the builds that a worker thread used last, by `storedAs`. */
const KEPT = 4;
const lists = new Map<string, ReadonlyMap<string, string>>();

async function readList({ storage }: Pick<Context, 'storage'>, build: Build): Promise<ReadonlyMap<string, string>> {
  const known = lists.get(build.storedAs);
  if (known !== undefined) return known;
  const stored = await storage.get(buildListName(build.testSuiteId, build.storedAs));
  if (stored === null) throw new Error(`The files of build ${build.id} are gone`);
  const list = new Map(FileList.parse(JSON.parse(stored.toString())).map((file) => [file.path, file.sha256]));
  return keepNewest(lists, build.storedAs, list, KEPT);
}

const text = (status: number, message: string) => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: Buffer.from(message),
});

/**
 * Answers requests to the suite's own origin from a build, as a static host does: clean addresses, `index.html`,
 * `404.html`, content types by name.
 * @param of.base that of the suite
 * @throws CaptureError when its files had to make room for others.
 */
export async function openBuild(
  ctx: Pick<Context, 'db' | 'storage'>,
  { suiteId, base }: { suiteId: string; base: SiteBase },
  buildId: string,
): Promise<SiteAnswers> {
  const build = await findBuild(ctx.db, suiteId, buildId);
  if (build === null)
    throw new CaptureError(`The files of ${buildName(buildId)} were removed to make room for newer builds`);
  const list = await readList(ctx, build);
  return {
    origin: base.origin,
    async answer(method, url) {
      if (method !== 'GET' && method !== 'HEAD') return text(405, 'A build only has files');
      const { pathname, search } = new URL(url);
      const found = findBuildPath((path) => list.has(path), base.path, pathname);
      if (found === null) return text(404, 'The build has no such file');
      if ('redirect' in found) {
        return { status: 308, headers: { location: found.redirect + search }, body: Buffer.alloc(0) };
      }
      const body = await ctx.storage.get(buildFileName(suiteId, build.storedAs, list.get(found.path) ?? ''));
      if (body === null) throw new Error(`A file of build ${build.id} is gone`);
      const type = mime.contentType(found.path.slice(found.path.lastIndexOf('/') + 1)) || 'application/octet-stream';
      return { status: found.status, headers: { 'content-type': type }, body };
    },
  };
}

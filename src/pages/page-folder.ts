/** The folder of all pages. The others end with a slash, too. */
export const ROOT_FOLDER = '/';

/**
 * The folder below `base` that a page is in, or `base` itself: `/docs/` for `/docs/install?tab=mac` below `/`. Both begin
 * and end with a slash.
 */
export function folderOf(path: string, base: string): string {
  const [rest = ''] = path.slice(base.length).split('?');
  const end = rest.indexOf('/');
  return end === -1 ? base : `${base}${rest.slice(0, end)}/`;
}

/** Most paths have no query, and checking for one takes a fifth of the time that removing it takes. */
const WITHOUT_QUERY_SQL =
  'case when strpos(site_pages.path, chr(63)) = 0 then site_pages.path else split_part(site_pages.path, chr(63), 1) end';

/** The path of `site_pages` below `base`, which is bound, without its query. `chr(63)` is the question mark. */
export const REST_SQL = `substr(${WITHOUT_QUERY_SQL}, char_length(cast(? as text)) + 1)`;

/** The same as `folderOf` for a column `rest` with `REST_SQL`. `base` is bound. */
export const FOLDER_SQL = "cast(? as text) || left(rest, strpos(rest, '/'))";

/** The parent folders of this one, from the root, with the last part of each name. */
export function foldersTo(folder: string): { folder: string; name: string }[] {
  const names = folder.split('/').slice(1, -1);
  return [
    { folder: ROOT_FOLDER, name: ROOT_FOLDER },
    ...names.map((name, at) => ({ folder: `/${names.slice(0, at + 1).join('/')}/`, name: `${name}/` })),
  ];
}

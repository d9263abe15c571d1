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

/** The path below `base`, without its query. `chr(63)` is the question mark. */
const REST_SQL = 'split_part(substr(site_pages.path, char_length(cast(? as text)) + 1), chr(63), 1)';

/** The same as `folderOf` for the column `site_pages.path`. `base` is bound three times. */
export const FOLDER_SQL = `cast(? as text) || left(${REST_SQL}, strpos(${REST_SQL}, '/'))`;

/** The folders on the way to this one, from the root, with the last part of the name of each. */
export function foldersTo(folder: string): { folder: string; name: string }[] {
  const names = folder.split('/').slice(1, -1);
  return [
    { folder: ROOT_FOLDER, name: ROOT_FOLDER },
    ...names.map((name, at) => ({ folder: `/${names.slice(0, at + 1).join('/')}/`, name: `${name}/` })),
  ];
}

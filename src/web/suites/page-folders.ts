import { folderOf, foldersTo, ROOT_FOLDER } from '../../pages/page-folder.ts';
import type { FolderTally, PageOverview } from '../../pages/page-search.ts';
import { withQuery } from '../pager.ts';
import { toQuery, type PageListQuery } from './page-list.ts';
import type { ListedPage } from './page-row.ts';

/** Folders offered above the list. More of them are found by searching. */
const FOLDERS_SHOWN = 60;

/** The shown pages of a folder, as a foldable part of the list. */
type FolderGroup = {
  name: string;
  /** Null: the folder is shown alone, or the list is of this folder. */
  href: string | null;
  /** Null if unknown, in a list of very many folders. */
  counts: Omit<FolderTally, 'folder'> | null;
  rows: ListedPage[];
};

/** @param rows the shown part of the matching pages, in order */
export function folderList(path: string, query: PageListQuery, { folders }: PageOverview, rows: ListedPage[]) {
  const base = query.folder ?? ROOT_FOLDER;
  const hrefOf = (folder: string) =>
    withQuery(path, toQuery({ ...query, folder: folder === ROOT_FOLDER ? null : folder, page: 1 }));
  const counts = new Map(folders.map(({ folder, ...tally }) => [folder, tally]));
  const groups = new Map<string, FolderGroup>();
  for (const row of rows) {
    const name = folderOf(row.path, base);
    const group = groups.get(name) ?? {
      name,
      href: name === base ? null : hrefOf(name),
      counts: counts.get(name) ?? null,
      rows: [],
    };
    group.rows.push(row);
    groups.set(name, group);
  }
  const below = folders.filter(({ folder }) => folder !== base);
  return {
    way:
      query.folder === null
        ? []
        : foldersTo(base).map(({ folder, name }) => ({ name, href: hrefOf(folder), current: folder === base })),
    folders: below
      .slice(0, FOLDERS_SHOWN)
      .map(({ folder, ...tally }) => ({ name: folder.slice(base.length), href: hrefOf(folder), ...tally })),
    more: below.length > FOLDERS_SHOWN,
    groups: [...groups.values()],
    hasGroups: folders.length > 1,
  };
}

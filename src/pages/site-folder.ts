const folderOf = (path: string): string => {
  const [pathname = ''] = path.split('?', 1);
  return pathname.slice(0, pathname.lastIndexOf('/') + 1);
};

/**
 * The folder of its host in which a site is crawled: that of its base URL, as for relative links. `/repo` is a folder where
 * the host adds the slash. A base URL that leads elsewhere on its host is a site there.
 * @param home the path of the base URL
 * @param landed the path that it led to
 */
export function siteFolder(home: string, landed: string): string {
  const folder = folderOf(home);
  return landed === `${home}/` || !landed.startsWith(folder) ? folderOf(landed) : folder;
}

const folderOf = (path: string): string => {
  const [pathname = ''] = path.split('?', 1);
  return pathname.slice(0, pathname.lastIndexOf('/') + 1);
};

/**
 * The folder in which a site is crawled: that of its base URL, as for relative links. `/repo` is a folder if the host
 * adds the slash. If the base URL redirects elsewhere on its host, the folder is there.
 * @param home the path of the base URL
 * @param landed the path that it led to
 */
export function siteFolder(home: string, landed: string): string {
  const folder = folderOf(home);
  return landed === `${home}/` || !landed.startsWith(folder) ? folderOf(landed) : folder;
}

/** How the screenshots are viewed, as it is in URLs. */

const NAMES = ['mode', 'show', 'view', 'fold'];

/** Adds the current choice to a URL, because the server may have printed an earlier one. @param {string} path @param {string[]} names */
export function withChoice(path, names = NAMES) {
  const from = new URLSearchParams(location.search);
  const to = new URL(path, location.href);
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) to.searchParams.set(name, value);
  }
  return to.pathname + to.search + to.hash;
}

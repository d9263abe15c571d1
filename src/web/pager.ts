/** Adds a query to `path`. Entries that are null, empty or undefined are omitted. */
export function withQuery(path: string, query: Record<string, string | number | null | undefined>): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}

/** What the partial `pager` prints. Null when everything fits on one page. `query` contains the filters. Its `page` is the page number, from 1. */
export function buildPager(
  list: { total: number; page: number; size: number },
  path: string,
  query: Record<string, string | number | null | undefined>,
) {
  const { total, page, size } = list;
  if (total <= size && page === 1) return null;
  const at = (number: number) => withQuery(path, { ...query, page: number === 1 ? null : number });
  const first = (page - 1) * size + 1;
  return {
    first: Math.min(first, total),
    last: Math.min(page * size, total),
    total,
    previous: page > 1 ? at(page - 1) : null,
    next: page * size < total ? at(page + 1) : null,
  };
}

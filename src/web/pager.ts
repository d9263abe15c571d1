/** What the partial `pager` prints: where in a list the page is, and the ways on. */
export type Pager = {
  /** The numbers of the first and last item shown, from 1. */
  first: number;
  last: number;
  total: number;
  /** URLs. Null at the ends. */
  previous: string | null;
  next: string | null;
};

/** `path` with the query's present entries; what is null, empty or undefined is left out. */
export function withQuery(path: string, query: Record<string, string | number | null | undefined>): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}

/** Null where everything is on the first page. `query` holds the filters; the page's number is its `page`, from 1. */
export function buildPager(
  list: { total: number; page: number; size: number },
  path: string,
  query: Record<string, string | number | null | undefined>,
): Pager | null {
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

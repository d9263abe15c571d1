import { redirect, type Reply } from './reply.ts';

type Query = Record<string, string | number | boolean | null | undefined | readonly string[]>;

/** Without what is null, undefined, empty or false. True is `1`. Of a list, each value has an entry. */
const listEntries = (query: Query): [string, string][] =>
  Object.entries(query).flatMap(([name, values]) =>
    [values]
      .flat()
      .filter((value) => value !== null && value !== undefined && value !== '' && value !== false)
      .map((value): [string, string] => [name, value === true ? '1' : String(value)]),
  );

/** Adds a query to `path`. Entries that are null, undefined, empty or false are omitted. */
export function withQuery(path: string, query: Query): string {
  const entries = listEntries(query);
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}

/** Whether a filter leaves anything out: it would be in the URL. */
export const isAnySet = (filter: Query): boolean => listEntries(filter).length > 0;

/** `page`: the number of the page that is shown, from 1. `size`: how many entries a page has. */
type Page = { page: number; size: number };

/** The entries of the page. */
export const pagePart = ({ page, size }: Page) => ({ limit: size, offset: (page - 1) * size });

/** From a page after the last one to the last one. Null: this is none. */
export function backToLast({ total, page, size }: Page & { total: number }, path: string, query: Query): Reply | null {
  const last = Math.max(1, Math.ceil(total / size));
  return page > last ? redirect(withQuery(path, { ...query, page: last === 1 ? null : last })) : null;
}

/** What the partial `pager` prints. Null when everything fits on one page. `query` contains the filters. */
export function buildPager({ total, page, size }: Page & { total: number }, path: string, query: Query) {
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

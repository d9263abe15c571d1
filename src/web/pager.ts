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

/** A page of a list. `page`: its number, from 1. `size`: how many entries a page has. `query`: the filters of the list. */
type Page = { page: number; size: number; path: string; query?: Query };

/** The address of another page of the same list. */
const pageAt = ({ path, query }: Page, page: number) => withQuery(path, { ...query, page: page === 1 ? null : page });

/** The entries of the page. */
export const pagePart = ({ page, size }: Pick<Page, 'page' | 'size'>) => ({ limit: size, offset: (page - 1) * size });

/** From a page after the last one to the last one. Null: this is none. */
export function backToLast(shown: Page, total: number): Reply | null {
  const last = Math.max(1, Math.ceil(total / shown.size));
  return shown.page > last ? redirect(pageAt(shown, last)) : null;
}

/** What the partial `pager` prints. Null when everything fits on one page. */
export function buildPager(shown: Page, total: number) {
  const { page, size } = shown;
  if (total <= size && page === 1) return null;
  const first = (page - 1) * size + 1;
  return {
    first: Math.min(first, total),
    last: Math.min(page * size, total),
    total,
    previous: page > 1 ? pageAt(shown, page - 1) : null,
    next: page * size < total ? pageAt(shown, page + 1) : null,
  };
}

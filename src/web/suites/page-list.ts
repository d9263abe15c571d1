import { z } from 'zod';
import type { PageFilter, PageTally } from '../../pages/page-search.ts';
import { PAGE_STATUSES } from '../../pages/site-page.ts';
import { SEARCH_MAX_LENGTH } from '../form-values.ts';
import { withQuery } from '../pager.ts';

/** Pages of a suite shown at once. */
export const PAGES_AT_ONCE = 100;

const TRACKED = ['yes', 'no'] as const;

/** The query of the page list. Unknown values are ignored. */
export const PageListQuery = z.object({
  q: z.string().trim().max(SEARCH_MAX_LENGTH).catch(''),
  status: z.enum(PAGE_STATUSES).nullable().catch(null),
  tracked: z.enum(TRACKED).nullable().catch(null),
  sort: z.enum(['path', '-path']).catch('path'),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
});
export type PageListQuery = z.output<typeof PageListQuery>;

export function toPageFilter({ q, status, tracked }: PageListQuery): PageFilter {
  return { text: q === '' ? null : q, status, tracked: tracked === null ? null : tracked === 'yes' };
}

/** The query of the same list. Defaults are omitted. */
export function toQuery({ q, status, tracked, sort, page }: PageListQuery) {
  return { q, status, tracked, sort: sort === 'path' ? null : sort, page: page === 1 ? null : page };
}

type Choice = { label: string; count: number; href: string; current: boolean };

/** The counts above the list, each a link to those pages. The search is kept. */
export function tallyChoices(path: string, query: PageListQuery, tally: PageTally): Choice[] {
  const choice = (label: string, count: number, narrowed: Pick<PageListQuery, 'status' | 'tracked'>): Choice => ({
    label,
    count,
    href: withQuery(path, toQuery({ ...query, ...narrowed, page: 1 })),
    current: query.status === narrowed.status && query.tracked === narrowed.tracked,
  });
  return [
    choice('All', tally.total, { status: null, tracked: null }),
    choice('Tracked', tally.tracked, { status: null, tracked: 'yes' }),
    choice('New', tally.new, { status: 'NEW', tracked: null }),
    choice('Active', tally.active, { status: 'ACTIVE', tracked: null }),
    choice('Removed', tally.removed, { status: 'REMOVED', tracked: null }),
  ];
}

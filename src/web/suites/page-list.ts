import { z } from 'zod';
import { folderOf, foldersTo, ROOT_FOLDER } from '../../pages/page-folder.ts';
import {
  PAGE_STATES,
  PAGE_STATUSES,
  type FolderTally,
  type PageFilter,
  type PageOverview,
  type PageState,
} from '../../pages/site-page.ts';
import type { SitePageWithResult, StabilityShare } from '../../runs/page-results/result-of-page.ts';
import { SEARCH_MAX_LENGTH } from '../../runs/search/run-search.ts';
import { describeShare, NOT_TRACKED_BADGE, PAGE_BADGES, pageLatest, type Badge } from '../badge.ts';
import { thumbnail } from '../comparison/read-image.ts';
import { buildFields, PageNumber, toOptions } from '../form-field.ts';
import { isAnySet, withQuery } from '../web-route.ts';

export const PAGES_AT_ONCE = 50;

const TRACKED = ['yes', 'no'] as const;

/** PostgreSQL refuses NUL in a text. */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => !value.includes('\u0000'));

const Folder = text(2000).refine((folder) => folder.length > 1 && folder.startsWith('/') && folder.endsWith('/'));

/** The query of the page list. Unknown values are ignored. */
export const PageListQuery = z.object({
  q: text(SEARCH_MAX_LENGTH)
    .transform((typed) => typed.trim())
    .catch(''),
  state: z.enum(PAGE_STATES).nullable().catch(null),
  status: z.enum(PAGE_STATUSES).nullable().catch(null),
  tracked: z.enum(TRACKED).nullable().catch(null),
  /** Null: all pages. */
  folder: Folder.nullable().catch(null),
  sort: z.enum(['path', '-path']).catch('path'),
  view: z.enum(['list', 'grid']).catch('list'),
  page: PageNumber,
});
export type PageListQuery = z.output<typeof PageListQuery>;

export function toPageFilter({ q, state, status, tracked, folder }: PageListQuery): PageFilter {
  return { text: q === '' ? null : q, state, status, folder, tracked: tracked === null ? null : tracked === 'yes' };
}

/** The query of the same list. Defaults are omitted. */
export function toQuery({ sort, view, page, ...filter }: PageListQuery) {
  return {
    ...filter,
    sort: sort === 'path' ? null : sort,
    view: view === 'list' ? null : view,
    page: page === 1 ? null : page,
  };
}

/** The shown page of the list, for its pager. */
export const shownPage = (path: string, query: PageListQuery) => ({
  page: query.page,
  size: PAGES_AT_ONCE,
  path,
  query: toQuery(query),
});

export const isFiltered = ({ q, state, status, tracked, folder }: PageListQuery): boolean =>
  isAnySet({ q, state, status, tracked, folder });

const STATUS_OPTIONS = toOptions({ '': 'Any status', NEW: 'New', ACTIVE: 'Active', REMOVED: 'Removed' });
const TRACKED_OPTIONS = toOptions({ '': 'Tracked or not', yes: 'Tracked', no: 'Not tracked' });

export function filterFields({ q, status, tracked }: PageListQuery) {
  return buildFields(
    {
      q: {
        label: 'Search',
        type: 'search',
        value: q,
        attributes: { placeholder: 'Path or title', maxlength: SEARCH_MAX_LENGTH },
      },
      status: { label: 'Status', type: 'select', value: status, options: STATUS_OPTIONS },
      tracked: { label: 'Tracked', type: 'select', value: tracked, options: TRACKED_OPTIONS },
    },
    null,
  );
}

/** What the forms of the filter keep, besides their own fields. */
export function keptFields(query: PageListQuery): { name: string; value: string }[] {
  const { state, folder, sort, view } = toQuery(query);
  return Object.entries({ state, folder, sort, view }).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value }],
  );
}

export const STATE_LABELS: Record<PageState, string> = {
  changed: 'Changed',
  error: 'Error',
  new: 'First screenshot',
  approved: 'Approved',
  uncounted: 'Not counted',
  cancelled: 'Cancelled',
  unchanged: 'Unchanged',
  never: 'Never captured',
};

/** The states of the suite's pages, each a link to those pages. The rest of the filter is kept. */
export function stateChoices(path: string, query: PageListQuery, { tally, states }: PageOverview) {
  const choice = (state: PageState | null, label: string, count: number) => ({
    label,
    count,
    href: withQuery(path, toQuery({ ...query, state, page: 1 })),
    current: query.state === state,
  });
  const shown = PAGE_STATES.filter((state) => states[state] > 0 || state === query.state);
  return [choice(null, 'All', tally.total), ...shown.map((state) => choice(state, STATE_LABELS[state], states[state]))];
}

/** How many of the found pages are tracked. Null if none were found. */
export function coverage(path: string, { tally }: PageOverview) {
  const found = tally.total - tally.removed;
  if (found === 0) return null;
  const part = (label: string, count: number, query: Record<string, string>) =>
    count === 0 ? [] : [{ label, count, href: withQuery(path, query) }];
  return {
    tracked: tally.runnable,
    found,
    parts: [
      ...part('not tracked', found - tally.runnable, { tracked: 'no' }),
      ...part('new', tally.new, { status: 'NEW' }),
      ...part('removed', tally.removed, { status: 'REMOVED' }),
    ],
  };
}

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

type ListedPage = ReturnType<typeof pageRow>;

/** What the view prints of one page of a suite. */
function pageRow(page: SitePageWithResult, shares: readonly StabilityShare[], view: 'list' | 'grid') {
  const { latestResult: latest } = page;
  return {
    ...page,
    href: `/suites/${page.testSuiteId}/pages/${page.id}`,
    labels: [
      ...(page.status === 'ACTIVE' ? [] : [PAGE_BADGES[page.status]]),
      ...(page.tracked || page.status === 'REMOVED' ? [] : [NOT_TRACKED_BADGE]),
    ],
    latest: pageLatest(latest),
    shot: latest?.screenshot ? thumbnail(latest.screenshot, view === 'grid' ? 'large' : 'small') : null,
    unstable: shares.filter(({ pageId }) => pageId === page.id).map(describeShare),
  };
}

/** What most rows have in common. `whose`: which of the listed pages it applies to. */
type Shared = { whose: string; badges: Badge[] };

const isOnlyBadge = ({ latest }: ListedPage, badge: Badge) => latest?.badge === badge && !latest.diffScore;

/** The latest result that most of the rows have, unless it is a difference, which each row tells. */
function mostCommonLatest(rows: readonly ListedPage[]): { badge: Badge; others: number } | null {
  const badges = rows.flatMap(({ latest }) => (latest === null || latest.diffScore ? [] : [latest.badge]));
  const counted = badges.map((badge) => ({
    badge,
    others: rows.length - badges.filter((each) => each === badge).length,
  }));
  const [most] = counted.toSorted((one, other) => one.others - other.others);
  return most !== undefined && most.others * 2 < rows.length ? most : null;
}

/**
 * @param shares of the suite's pages that were not always stable @returns the rows, and what all or most of them have in
 * common, which is shown once and not in each row.
 */
export function listPageRows(
  pages: readonly SitePageWithResult[],
  shares: readonly StabilityShare[],
  view: 'list' | 'grid',
): { rows: ListedPage[]; shared: Shared[] } {
  const rows = pages.map((page) => pageRow(page, shares, view));
  const [first] = rows;
  if (first === undefined || rows.length === 1) return { rows, shared: [] };
  const labels = first.labels.filter((label) => rows.every((row) => row.labels.includes(label)));
  const most = mostCommonLatest(rows);
  const isOfAll = most?.others === 0;
  const ofAll = [...labels, ...(isOfAll ? [most.badge] : [])];
  const ofMost = most === null || isOfAll ? [] : [{ whose: `All but ${most.others}`, badges: [most.badge] }];
  return {
    rows: rows.map((row) => ({
      ...row,
      labels: row.labels.filter((label) => !labels.includes(label)),
      latest: most !== null && isOnlyBadge(row, most.badge) ? null : row.latest,
    })),
    shared: [...(ofAll.length === 0 ? [] : [{ whose: 'All of these pages', badges: ofAll }]), ...ofMost],
  };
}

import type { CaptureSeries } from './browser/capture-request.ts';
import type { Lease } from './browser/keep-browser.ts';
import type { Warnings } from './capture-warnings.ts';
import type { Guard } from './guard.ts';
import { keyOf, listen, listenToNobody, openReused, putBack, sizeOf, takeKept, type ReusedPage } from './kept-pages.ts';
import { closeContext, resizeTab, toCrash, type OpenPage, type PageOptions } from './open-page.ts';
import { mayBeResized } from './still-page.ts';

/*
 * If nothing can change a page, resizing it gives the same picture as loading it at that size. So each capture of a
 * series leaves it, in its kept or fresh context, to the next one.
 */

/** The pages that captures of a series have left, by how they were captured. A capture does not take its own. */
type Left = { earlier: Map<string, LeftPage>; own: Map<string, LeftPage> };
type LeftPage = { kept: ReusedPage; lease: Lease; release(): Promise<void> };

const left = new WeakMap<CaptureSeries, Left>();

async function releaseAll(pages: Map<string, LeftPage>): Promise<void> {
  await Promise.all([...pages.values()].map(async (page) => page.release()));
  pages.clear();
}

/** Begins the next capture of a series, which may use what the last one has left. */
export async function beginCapture(series: CaptureSeries): Promise<void> {
  const before = left.get(series);
  left.set(series, { earlier: before?.own ?? new Map<string, LeftPage>(), own: new Map() });
  if (before !== undefined) await releaseAll(before.earlier);
}

/** Ends a series: its pages are kept for others of their scope, or closed. */
export async function endSeries(series: CaptureSeries): Promise<void> {
  const pages = left.get(series);
  left.delete(series);
  if (pages !== undefined) await Promise.all([releaseAll(pages.earlier), releaseAll(pages.own)]);
}

async function takeLeft(lease: Lease, series: CaptureSeries, key: string): Promise<ReusedPage | null> {
  const pages = left.get(series)?.earlier;
  const page = pages?.get(key);
  if (page === undefined) return null;
  pages?.delete(key);
  if (page.lease.launched === lease.launched && !page.kept.isOdd) return page.kept;
  await page.release();
  return null;
}

/** Who uses a page. `share`: the next capture of the series may use it as it is if it has the same `like`. */
export type Use = { guard: Guard; warnings: Warnings; share?: { series: CaptureSeries; like: string } | undefined };

type Source = {
  key: string;
  obtain: () => Promise<ReusedPage>;
  release: (kept: ReusedPage, page: OpenPage) => Promise<void>;
};

async function inPage<T>(
  lease: Lease,
  options: PageOptions,
  { guard, warnings, share }: Use,
  { key, obtain, release }: Source,
  use: (open: OpenPage, isLoaded: boolean) => Promise<T>,
): Promise<T> {
  const leftKey = `${key} ${share?.like}`;
  const found = share === undefined ? null : await takeLeft(lease, share.series, leftKey);
  const kept = found ?? (await obtain());
  const page = { ...kept.tab, guard, warnings };
  let used: T;
  try {
    listen(kept, guard, warnings);
    if (found === null) {
      const { navigation, requests, pictures } = kept.tab;
      navigation.restart(options);
      requests.restart();
      pictures.restart();
    }
    if (kept.size !== sizeOf(options)) await guard.race(resizeTab(kept.tab, options));
    kept.size = sizeOf(options);
    used = await use(page, found !== null);
  } catch (error) {
    await closeContext(kept.tab.context, lease);
    throw toCrash(error);
  }
  const own = share && left.get(share.series)?.own;
  const isLeft = own !== undefined && warnings.all().length === 0 && (await mayBeResized(page).catch(() => false));
  listenToNobody(kept);
  if (!isLeft) await release(kept, page);
  else {
    const before = own.get(leftKey);
    own.set(leftKey, { kept, lease, release: async () => release(kept, page) });
    await before?.release();
  }
  return used;
}

/**
 * Calls `use` with a page that others of the scope may have been captured in, one after the other. `isLoaded`: the page
 * has loaded and only its size is new.
 * @throws PageCrashed, and what `use` throws
 */
export async function withKeptPage<T>(
  lease: Lease,
  { scope, ...options }: PageOptions & { scope: string },
  user: Use,
  use: (open: OpenPage, isLoaded: boolean) => Promise<T>,
): Promise<T> {
  const key = keyOf(scope, options);
  const source: Source = {
    key,
    obtain: async () => takeKept(lease, key, sizeOf(options)) ?? openReused(lease, options, user),
    release: async (kept, page) => putBack(lease, key, kept, page),
  };
  return inPage(lease, options, user, source, use);
}

/**
 * The same with a page in a fresh context, which only captures of the series share, and which is closed afterwards.
 * @throws PageCrashed, and what `use` throws
 */
export async function withFreshPage<T>(
  lease: Lease,
  options: PageOptions,
  user: Use,
  use: (open: OpenPage, isLoaded: boolean) => Promise<T>,
): Promise<T> {
  const source: Source = {
    key: `fresh ${keyOf('', options)}`,
    obtain: async () => openReused(lease, options, user),
    release: async ({ tab }) => closeContext(tab.context, lease),
  };
  return inPage(lease, options, user, source, use);
}

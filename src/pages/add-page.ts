import { toActor } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { conflict, invalid } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { isOnHost } from '../net/site-base.ts';
import { parseHttpUrl } from '../suites/suite-input.ts';
import type { Suite, SuiteFor } from '../suites/suite.ts';
import { formatCount, formatNumber } from '../text/format.ts';
import { pageAddress, type PageAddress } from './page-identity.ts';
import { selectMatching } from './page-search-store.ts';
import { changePages, keepTrackedPage, selectPages } from './site-page-store.ts';
import type { PageFilter, SitePage, SitePageAction } from './site-page.ts';

export type AddPage = { url?: string | undefined; path?: string | undefined };

const refused = (field: string, message: string) => invalid(`${field} ${message}`, [{ path: field, message }]);

function parseAddress(suite: Suite, { url, path }: AddPage): PageAddress {
  const field = url === undefined ? 'path' : 'url';
  if ((url === undefined) === (path === undefined)) throw refused('url', 'or path is required, but not both');
  const text = url === undefined ? `${suite.origin}${path ?? ''}` : parseHttpUrl(url, 'url');
  if (path !== undefined && !path.startsWith('/')) throw refused('path', 'must start with a slash');
  const address = pageAddress(text);
  if (address === null) throw refused(field, 'is too long');
  if (!isOnHost(address.url, suite.baseUrl))
    throw refused(field, `must be on the suite’s own host, ${new URL(suite.origin).host}`);
  return address;
}

/**
 * Adds a page by hand: ACTIVE, tracked, and requested by every crawl, linked or not. A page that exists already becomes
 * tracked and is returned.
 * @throws AppError invalid for an address that is not on the suite's own host.
 */
export async function addPage(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.edit'>,
  input: AddPage,
): Promise<SitePage> {
  const address = parseAddress(suite, input);
  return inTransaction(ctx.db, async (trx) => {
    const page = await keepTrackedPage(trx, suite, address.path);
    const details = { path: page.path };
    await recordEvent(trx, toActor(suite.viewer), { kind: 'page.added', suiteId: suite.id, details });
    return page;
  });
}

/** All pages that match a filter. `shown`: how many those were when the person chose them. */
type Matching = { filter: PageFilter; shown: number };

async function findChosen(trx: Db, suiteId: string, { filter, shown }: Matching): Promise<string[]> {
  const ids = await selectMatching(trx, suiteId, filter).pluck('id');
  if (ids.length === shown) return ids;
  const now = `${formatCount(ids.length, 'page')} ${ids.length === 1 ? 'matches' : 'match'} now`;
  throw conflict(`${now}, not ${formatNumber(shown)}. Look at the list, then choose again`, 'not_as_shown');
}

/**
 * Applies one action to many pages: those with these ids, or all that match a filter.
 * @returns how many pages changed. Pages that were already in that state, and ids of other suites, don't count.
 * @throws AppError conflict `not_as_shown` when not as many pages match as were shown.
 */
export async function actOnPages(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.edit'>,
  { action, on }: { action: SitePageAction; on: string[] | Matching },
): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    const ids = Array.isArray(on) ? on : await findChosen(trx, suite.id, on);
    const pages = await changePages(trx, selectPages(trx, suite.id).whereRaw('id = any(?)', [ids]), action);
    const event = { kind: 'pages.changed', suiteId: suite.id, details: { action, pages } } as const;
    if (pages > 0) await recordEvent(trx, toActor(suite.viewer), event);
    return pages;
  });
}

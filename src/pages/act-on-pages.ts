import { toActor } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { recordEvent } from '../events/record-event.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { selectMatching } from './page-search-store.ts';
import type { PageFilter } from './page-search.ts';
import { changePages, selectPages } from './site-page-store.ts';
import type { SitePageAction } from './site-page.ts';

/**
 * Applies one action to many pages: those with these ids, or all that match a filter.
 * @returns how many pages changed. Pages that were already in that state, and ids of other suites, don't count.
 */
export async function actOnPages(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.edit'>,
  { action, on }: { action: SitePageAction; on: string[] | PageFilter },
): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    const chosen = Array.isArray(on) ? selectPages(trx, suite.id).whereIn('id', on) : selectMatching(trx, suite.id, on);
    const pages = await changePages(trx, chosen, action);
    const event = { kind: 'pages.changed', suiteId: suite.id, details: { action, pages } } as const;
    if (pages > 0) await recordEvent(trx, toActor(suite.viewer), event);
    return pages;
  });
}

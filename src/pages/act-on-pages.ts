import type { Context } from '../context.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { applyAction } from './site-page-store.ts';
import type { SitePageAction } from './site-page.ts';

/**
 * Applies one action to many pages.
 * @returns how many pages changed. Pages that were already in that state, and ids of other suites, don't count.
 */
export async function actOnPages(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.edit'>,
  input: { action: SitePageAction; pageIds: string[] },
): Promise<number> {
  return input.pageIds.length === 0 ? 0 : applyAction(ctx.db, suite.id, input.action, input.pageIds);
}

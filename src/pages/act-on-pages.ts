import { toActor } from '../auth/to-actor.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { recordEvent } from '../events/record-event.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { applyAction, setAcknowledged } from './site-page-store.ts';
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
  if (input.pageIds.length === 0) return 0;
  return inTransaction(ctx.db, async (trx) => {
    const pages = await applyAction(trx, suite.id, input.action, input.pageIds);
    const details = { action: input.action, pages };
    const event = { kind: 'pages.changed', suiteId: suite.id, details } as const;
    if (pages > 0) await recordEvent(trx, toActor(suite.viewer), event);
    return pages;
  });
}

/** NEW pages that somebody has seen: their screenshots were approved, or captured twice. */
export async function acknowledgePaths(trx: Db, suiteId: string, paths: string[]): Promise<void> {
  if (paths.length > 0) await setAcknowledged(trx, suiteId, paths);
}

import type { Db } from '../db/database.ts';
import { CLOCK, NAMED_MAX } from '../events/event.ts';
import { recordEvent } from '../events/record-event.ts';
import type { PageChanges } from './site-page.ts';

/** Records what a crawl found and no longer found, in the transaction that stores it. */
export async function recordPages(
  trx: Db,
  suiteId: string,
  { added }: Pick<PageChanges, 'added'>,
  { removed, ...found }: { removed: string[]; tracked: number; first: boolean },
): Promise<void> {
  if (added.length > 0) {
    const paths = added.slice(0, NAMED_MAX).map(({ path }) => path);
    const details = { pages: added.length, paths, ...found };
    await recordEvent(trx, CLOCK, { kind: 'pages.found', suiteId, details });
  }
  if (removed.length > 0) {
    const details = {
      pages: removed.length,
      paths: removed.slice(0, NAMED_MAX),
    };
    await recordEvent(trx, CLOCK, { kind: 'pages.removed', suiteId, details });
  }
}

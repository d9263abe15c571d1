import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { appendLogs } from '../../runs/log/log-store.ts';
import { queueCheckUpdate } from '../../runs/queue-check-update.ts';
import type { PullRequestRun } from '../pull-request-run.ts';
import { setPreviewSearch } from './preview-search-store.ts';
import { describeSignal, whichPreview, type PreviewSearch } from './preview-search.ts';

/** Stores the outcome of the search for a waiting run's preview. The log and the check name previews that fit. */
export async function notePreviewSearch(
  { db }: Pick<Context, 'db'>,
  run: PullRequestRun,
  search: PreviewSearch | null,
): Promise<void> {
  if (search === null || isDeepStrictEqual(search, run.search)) return;
  const { candidates } = search;
  const isSame = isDeepStrictEqual(candidates, run.search?.candidates ?? []);
  await inTransaction(db, async (trx) => {
    if (!(await setPreviewSearch(trx, run.id, search)) || isSame) return;
    if (candidates.length > 0) {
      const message = `${whichPreview(candidates.length)}: ${candidates.map(describeSignal).join(', ')}`;
      await appendLogs(trx, run.id, [{ type: 'WARNING', message }]);
    }
    await queueCheckUpdate(trx, { id: run.id, runType: 'PR' }, 'now');
  });
}

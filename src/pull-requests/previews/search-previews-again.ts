import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { appendLogs } from '../../runs/log/log-store.ts';
import { queueCheckUpdate } from '../../runs/queue-check-update.ts';
import { findLinkedSuite } from '../../suites/linked-suites.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { toRepositoryKey } from '../../suites/suite.ts';
import { findNewestAttempt } from '../pull-request-run-store.ts';
import { WITHOUT_PREVIEW, type PullRequestRun } from '../pull-request-run.ts';
import { findOpenNumbers, findPullRequest } from '../pull-request-store.ts';
import { startPullRequestRun } from '../start-pull-request-run.ts';
import { setPreviewSearch } from './preview-search-store.ts';
import { describeSignal, whichPreview, type PreviewSearch } from './preview-search.ts';

/**
 * Job, when a suite's settings name another preview: waiting runs search again, and heads whose last attempt ended
 * without a preview get another attempt.
 */
export async function searchPreviewsAgain(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  { suiteId }: { suiteId: string },
): Promise<void> {
  const link = (await findSuite(ctx.db, suiteId))?.codehost ?? null;
  if (link === null) return;
  const repository = toRepositoryKey(link);
  const linked = await findLinkedSuite(ctx, repository, suiteId);
  if (linked === null) return;
  for (const number of await findOpenNumbers(ctx.db, repository)) {
    await inTransaction(ctx.db, async (trx) => {
      const pullRequest = await findPullRequest(trx, { ...repository, number });
      if (pullRequest?.state !== 'OPEN') return;
      const last = await findNewestAttempt(trx, suiteId, pullRequest);
      if (last === null) return;
      if (last.status === 'PENDING' && !last.enqueued) await enqueue(trx, 'find-preview', { runId: last.id });
      else await startPullRequestRun(trx, ctx, linked, pullRequest, WITHOUT_PREVIEW);
    });
  }
}

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

import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { findLinkedSuite } from '../../suites/linked-suites.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { toRepositoryKey } from '../../suites/suite.ts';
import { findNewestAttempt } from '../pull-request-run-store.ts';
import { WITHOUT_PREVIEW } from '../pull-request-run.ts';
import { findOpenNumbers, findPullRequest } from '../pull-request-store.ts';
import { startPullRequestRun } from '../start-pull-request-run.ts';

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

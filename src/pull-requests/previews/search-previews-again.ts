import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { findNewestAttempt } from '../pull-request-run-store.ts';
import { WITHOUT_PREVIEW } from '../pull-request-run.ts';
import { findOpenPullRequests } from '../pull-request-store.ts';
import { toHead } from '../pull-request.ts';
import { startPullRequestRun } from '../start-pull-request-run.ts';

/**
 * Job, when a suite's settings name another preview: waiting runs search again, and heads whose last attempt ended
 * without a preview get another attempt.
 */
export async function searchPreviewsAgain(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  { suiteId }: { suiteId: string },
): Promise<void> {
  const repository = (await findSuite(ctx.db, suiteId))?.codehost ?? null;
  if (repository === null) return;
  const linked = (await linkedSuites(ctx, repository)).find(({ suite }) => suite.id === suiteId);
  if (linked === undefined) return;
  for (const pullRequest of await findOpenPullRequests(ctx.db, repository)) {
    const head = toHead(pullRequest);
    await inTransaction(ctx.db, async (trx) => {
      const last = await findNewestAttempt(trx, suiteId, head);
      if (last === null) return;
      if (last.status === 'PENDING' && !last.enqueued) await enqueue(trx, 'find-preview', { runId: last.id });
      else await startPullRequestRun(trx, ctx, linked, head, WITHOUT_PREVIEW);
    });
  }
}

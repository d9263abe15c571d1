import type { Db } from '../../db/database.ts';
import { runAgain } from '../../pull-requests/run-again.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { parseGroupBranch } from '../checks/merge-group.ts';
import type { CheckSuiteEvent } from './event-shapes.ts';
import type { HandlerContext } from './handler.ts';
import { repositoryKey } from './pull-request-news.ts';

/**
 * "Re-run all checks". Pull requests are found by commit, because `pull_requests` in the payload is empty for forks.
 */
export async function onCheckSuite(trx: Db, ctx: HandlerContext, payload: CheckSuiteEvent): Promise<void> {
  if (payload.action !== 'rerequested') return;
  const repository = repositoryKey(payload.repository);
  const { head_sha, head_branch: branch } = payload.check_suite;
  const headSha = head_sha.toLowerCase();
  const installationId = payload.installation?.id;
  if (branch !== null && parseGroupBranch(branch) !== null && installationId !== undefined) {
    await enqueue(trx, 'judge-merge-group', { ...repository, headSha, headRef: branch, installationId });
    return;
  }
  await runAgain(trx, ctx, { ...repository, headSha });
}

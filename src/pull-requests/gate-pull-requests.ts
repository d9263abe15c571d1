import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { Db } from '../db/database.ts';
import { queueJudgement } from '../runs/judging/queue-judgement.ts';
import { queueCheckUpdate } from '../runs/queue-check-update.ts';
import type { RepositoryKey } from '../suites/repository-key.ts';
import { findSuite } from '../suites/suite-store.ts';
import { isGatedBase } from './base-branch.ts';
import { findDefaultBranch } from './default-branch-store.ts';
import { findNewestAttempts, setBase } from './pull-request-run-store.ts';
import { findOpenNumbers, lockPullRequest } from './pull-request-store.ts';
import type { PullRequest } from './pull-request.ts';

/**
 * Tells the last runs of the pull request's head which branch it is based on, and whether they gate its merge. Their
 * checks follow. With another base, their results are judged again from the stored screenshots.
 */
export async function followBase(trx: Db, current: PullRequest): Promise<void> {
  const { baseBranch } = current;
  const defaultBranch = await findDefaultBranch(trx, current);
  for (const run of await findNewestAttempts(trx, current)) {
    const suite = await findSuite(trx, run.testSuiteId);
    const isGated = suite === null ? run.isGated : isGatedBase(suite.config, baseBranch, defaultBranch);
    if (run.baseBranch === baseBranch && run.isGated === isGated) continue;
    await setBase(trx, run.id, { baseBranch, isGated });
    await queueCheckUpdate(trx, { id: run.id, runType: 'PR' }, 'now');
    if (run.baseBranch !== baseBranch) await queueJudgement(trx, run.id);
  }
}

/**
 * Job: after a change of a repository's default branch, or of a suite's base branches, decides again which open pull
 * requests are gated.
 */
export async function gatePullRequests({ db }: Pick<Context, 'db'>, repository: RepositoryKey): Promise<void> {
  for (const number of await findOpenNumbers(db, repository)) {
    await inTransaction(db, async (trx) => {
      const current = await lockPullRequest(trx, { ...repository, number });
      if (current?.state === 'OPEN') await followBase(trx, current);
    });
  }
}

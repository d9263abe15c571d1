import { sendResetLink } from './auth/send-reset-link.ts';
import type { Context, WorkerContext } from './context.ts';
import { assertNever } from './errors.ts';
import { expirePreview, findPreview, giveUpPreview } from './github/previews/find-preview.ts';
import { promotePullRequest } from './github/checks/promote-pull-request.ts';
import { endCheck } from './github/checks/end-check.ts';
import { showCheck } from './github/checks/show-check.ts';
import { judgeMergeGroup } from './github/checks/judge-merge-group.ts';
import { refreshInstallation } from './github/app/refresh-installation.ts';
import { crawlSuite, giveUpCrawl } from './pages/crawl-suite.ts';
import type { OnDeadJob } from './queue/bury-dead-jobs.ts';
import type { JobHandlers } from './queue/job.ts';
import { carryOverApprovals } from './review/carry-over.ts';
import { capturePage } from './runs/capture-page.ts';
import { comparePage } from './runs/compare-page.ts';
import { endUnlinkedRuns } from './pull-requests/end-unlinked-runs.ts';
import { finishRun } from './runs/finish-run.ts';
import { giveUpPage, giveUpRun } from './runs/give-up-job.ts';
import { removeSuiteObjects } from './suites/delete-suite.ts';

/** What each job does: the one table. */
export const jobHandlers: JobHandlers<WorkerContext> = {
  'capture-page': capturePage,
  'compare-page': comparePage,
  'finish-run': (ctx, payload) => finishRun(ctx, payload, carryOverApprovals),
  'crawl-suite': crawlSuite,
  'remove-suite-objects': removeSuiteObjects,
  'send-reset-link': sendResetLink,
  'find-preview': findPreview,
  'expire-preview': expirePreview,
  'promote-pull-request': promotePullRequest,
  'show-check': showCheck,
  'end-check': endCheck,
  'end-unlinked-runs': endUnlinkedRuns,
  'judge-merge-group': judgeMergeGroup,
  'refresh-installation': refreshInstallation,
};

/** What becomes of a job that failed at every attempt, in the transaction that removes it. */
export function afterDeadJob(ctx: Pick<Context, 'clock' | 'log'>): OnDeadJob {
  return async (db, job) => {
    ctx.log.error(
      { job: job.name, payload: job.name === 'send-reset-link' ? {} : job.payload, error: job.error },
      'gave up a job',
    );
    switch (job.name) {
      case 'capture-page':
        return giveUpPage({ db }, job.payload, 'The page could not be captured: its worker failed at every attempt');
      case 'compare-page':
        return giveUpPage(
          { db },
          job.payload,
          'The pictures could not be compared: the worker failed at every attempt',
        );
      case 'finish-run':
        return giveUpRun({ db, clock: ctx.clock }, job.payload.runId, 'The run could not be finished');
      case 'crawl-suite':
        return giveUpCrawl({ db, clock: ctx.clock }, job.payload.suiteId, 'The crawl failed at every attempt');
      case 'find-preview':
      case 'expire-preview':
        return giveUpPreview({ db, clock: ctx.clock }, job.payload.runId);
      case 'remove-suite-objects':
      case 'send-reset-link':
      // What it did stays done, and the next approval of the pull request queues it again.
      case 'promote-pull-request':
      case 'judge-merge-group':
      // Runs that nobody cancelled end by themselves, when they are captured or their time to wait is over.
      case 'end-unlinked-runs':
      case 'end-check':
      case 'refresh-installation':
      // The sweeper comes back to a check that is behind its run.
      case 'show-check':
        return;
      default:
        assertNever(job);
    }
  };
}

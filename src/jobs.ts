import { sendResetLink } from './auth/passwords/change-password.ts';
import type { Context, WorkerContext } from './context.ts';
import type { Db } from './db/database.ts';
import { AppError } from './errors.ts';
import { refreshInstallation } from './github/app/refresh-installation.ts';
import { redeliverMissed } from './github/catch-up/redeliver-missed.ts';
import { synchronizeRepository } from './github/catch-up/synchronize-repository.ts';
import { judgeMergeGroup } from './github/checks/judge-merge-group.ts';
import { endCheck } from './github/checks/put-check-run.ts';
import { showCheck } from './github/checks/show-check.ts';
import { tellPullRequest } from './github/checks/tell-pull-request.ts';
import { expirePreview, findPreview, giveUpPreview, useBuild } from './github/previews/find-preview.ts';
import { followBaseSettings } from './github/previews/pull-request-config.ts';
import { syncConfigFile } from './github/previews/read-config-file.ts';
import { placeMergeDeployment } from './github/previews/record-signal.ts';
import { areShown, readImagesInChecks } from './github/webhooks/images-in-checks.ts';
import { promotePullRequest } from './github/webhooks/promote-pull-request.ts';
import { takeEvents } from './github/webhooks/take-events.ts';
import { sendDeliveries } from './notices/send-deliveries.ts';
import { sendDigest } from './notices/send-digest.ts';
import { tellEvent } from './notices/tell-event.ts';
import { crawlSuite, giveUpCrawl } from './pages/crawl/crawl-suite.ts';
import { giveUpLook, lookAtSite } from './pages/look/look-at-site.ts';
import { carryOverStack } from './pull-requests/carry-over-stack.ts';
import { endUnlinkedRuns } from './pull-requests/end-pull-request-run.ts';
import { followBaselines } from './pull-requests/follow-baselines.ts';
import { followSettings } from './pull-requests/follow-settings.ts';
import { gatePullRequests } from './pull-requests/gate-pull-requests.ts';
import { searchPreviewsAgain } from './pull-requests/previews/search-previews-again.ts';
import type { Part } from './queue/await-part.ts';
import { enqueue } from './queue/enqueue.ts';
import { JOB_KINDS, type JobName, type JobPayloads } from './queue/job-kinds.ts';
import type { RunJob } from './queue/job-runner.ts';
import type { JobRun } from './queue/job.ts';
import type { DeadJob, GiveUpJob } from './queue/maintain-queue.ts';
import { sweepSuite } from './retention/sweep-suite.ts';
import { removeBuildObjects } from './runs/builds/sweep-builds.ts';
import { finishRun, giveUpRun } from './runs/end-run.ts';
import { compareAnew, judgeRun, judgeSuite } from './runs/judging/judge-runs.ts';
import { leaveSlot } from './runs/page-jobs/open-runs.ts';
import { captureSuite, compareSuite } from './runs/page-jobs/work-on-pages.ts';
import { startFirstRun } from './runs/start-due-runs.ts';
import { giveUpTrial, tryPage } from './runs/trials/try-page.ts';
import { sendInvitation } from './suites/invitations/invite.ts';
import { removeSuiteObjects } from './suites/suite-life.ts';

/** `db` is the transaction that removes the job. */
type GiveUpContext = { db: Db } & Pick<Context, 'clock' | 'log'>;

type JobHandler<P> = {
  run: (ctx: WorkerContext, payload: P, job: JobRun) => Promise<void>;
  /** Runs when the job failed on every attempt. Null: the failure is only logged. */
  onGivenUp: ((ctx: GiveUpContext, payload: P) => Promise<void>) | null;
};

const hasImages = (ctx: WorkerContext) => async () => areShown(await readImagesInChecks(ctx));

/** What runs each kind of job of `queue/job-kinds.ts`, and what happens when it is given up. */
const HANDLERS: { readonly [N in JobName]: JobHandler<JobPayloads[N]> } = {
  // A new job continues the work.
  'capture-suite': { run: captureSuite, onGivenUp: async ({ db }, slot) => leaveSlot(db, 'capture', slot) },
  'compare-suite': { run: compareSuite, onGivenUp: async ({ db }, slot) => leaveSlot(db, 'compare', slot) },
  'finish-run': { run: async (ctx, payload) => finishRun(ctx, payload, carryOverStack), onGivenUp: giveUpRun },
  'look-at-site': { run: lookAtSite, onGivenUp: giveUpLook },
  'try-page': { run: tryPage, onGivenUp: giveUpTrial },
  // The gates stay as they are. The next change of what is ignored judges them again.
  'judge-suite': { run: judgeSuite, onGivenUp: null },
  'judge-run': { run: judgeRun, onGivenUp: null },
  // The next move of a baseline queues them again, for everything that is out of date.
  'follow-baselines': { run: followBaselines, onGivenUp: null },
  'follow-settings': { run: followSettings, onGivenUp: null },
  'compare-anew': { run: compareAnew, onGivenUp: null },
  // A person can start a run instead.
  'start-first-run': { run: startFirstRun, onGivenUp: null },
  'crawl-suite': { run: crawlSuite, onGivenUp: giveUpCrawl },
  'use-build': { run: useBuild, onGivenUp: null },
  'remove-build-objects': { run: removeBuildObjects, onGivenUp: null },
  // The clock queues it again.
  'sweep-suite': { run: sweepSuite, onGivenUp: null },
  'remove-suite-objects': { run: removeSuiteObjects, onGivenUp: null },
  'send-reset-link': { run: sendResetLink, onGivenUp: null },
  // The person who invited has the link as well.
  'send-invitation': { run: sendInvitation, onGivenUp: null },
  // The events still wait.
  'take-events': { run: takeEvents, onGivenUp: async ({ db }, events) => enqueue(db, 'take-events', events) },
  // The clock queues it again.
  'redeliver-missed': { run: redeliverMissed, onGivenUp: null },
  // A person can ask for it again.
  'synchronize-repository': { run: synchronizeRepository, onGivenUp: null },
  'find-preview': { run: findPreview, onGivenUp: giveUpPreview },
  'follow-base-settings': { run: followBaseSettings, onGivenUp: null },
  'expire-preview': { run: expirePreview, onGivenUp: giveUpPreview },
  // Waiting runs search again at the next signal, and when their time is over.
  'search-previews-again': { run: searchPreviewsAgain, onGivenUp: null },
  // The run keeps waiting until its time is over.
  'place-merge-deployment': { run: placeMergeDeployment, onGivenUp: null },
  // If a check is behind its run, the sweeper updates it later.
  'show-check': { run: async (ctx, payload) => showCheck(ctx, payload, hasImages(ctx)), onGivenUp: null },
  // The next change of a check sends it again.
  'tell-pull-request': { run: async (ctx, payload) => tellPullRequest(ctx, payload, hasImages(ctx)), onGivenUp: null },
  'end-check': { run: endCheck, onGivenUp: null },
  // Runs that nobody cancelled end by themselves, when they are captured or when their waiting time is over.
  'end-unlinked-runs': { run: endUnlinkedRuns, onGivenUp: null },
  // The next change of base branches decides again.
  'gate-pull-requests': { run: gatePullRequests, onGivenUp: null },
  // The next push reads it again.
  'read-config-file': { run: syncConfigFile, onGivenUp: null },
  'judge-merge-group': { run: judgeMergeGroup, onGivenUp: null },
  // What is already done stays done, and the next approval of the pull request queues the job again.
  'promote-pull-request': { run: promotePullRequest, onGivenUp: null },
  // Waiting messages are sent with the next one.
  'send-deliveries': { run: sendDeliveries, onGivenUp: null },
  // Waiting events are sent with the next one.
  'send-digest': { run: sendDigest, onGivenUp: null },
  // The event stays on record.
  'tell-event': { run: tellEvent, onGivenUp: null },
  'refresh-installation': { run: refreshInstallation, onGivenUp: null },
};

export function runWith(ctx: WorkerContext): RunJob {
  return async (name, payload, job) => HANDLERS[name].run(ctx, payload, job);
}

const hasCode = (error: unknown, code: string) => error instanceof AppError && error.details.code === code;

/** What jobs may need besides the database. Without the database the worker ends. */
export function partsOf({ storage, browser }: WorkerContext): Part[] {
  return [
    {
      name: 'storage',
      isCauseOf: (error) => hasCode(error, 'storage_unavailable'),
      check: async () => storage.check(),
    },
    {
      name: 'browser',
      isCauseOf: (error) => hasCode(error, 'browser_unavailable'),
      check: async () => browser.engine(),
    },
  ];
}

export function giveUpWith(ctx: Pick<Context, 'clock' | 'log'>): GiveUpJob {
  return async <N extends JobName>(db: Db, { name, payload, error }: DeadJob<N>) => {
    ctx.log.error({ job: name, payload: JOB_KINDS[name].isPrivate === true ? {} : payload, error }, 'gave up a job');
    await HANDLERS[name].onGivenUp?.({ db, clock: ctx.clock, log: ctx.log }, payload);
  };
}

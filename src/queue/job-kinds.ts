import { z } from 'zod';
import type { JobKind } from './job.ts';

/*
 * Every kind of job: its payload, how it is queued, and how often it is tried. A payload holds ids only, so that a job
 * works on the rows as they are when it runs. A new kind is a row here, with which any room may enqueue it, and a row
 * in `src/jobs.ts`, which says what runs it and what happens when it is given up. The compiler demands that one.
 */

/** Earlier versions wrote numbers as text. */
const Int = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);
/** Earlier versions wrote `''` for null. */
const IntOrNull = z.union([Int, z.null(), z.literal('').transform(() => null)]);

const RunAndPath = z.object({ runId: z.string(), path: z.string() });
const OfRun = z.object({ runId: z.string() });
const OfSuite = z.object({ suiteId: z.string() });
/** `slot`: from 0. */
const SlotOfSuite = OfSuite.extend({ slot: z.int() });

const PullRequest = z.object({ owner: z.string(), repo: z.string(), number: Int });
const promotionQueue = ({ owner, repo, number }: z.output<typeof PullRequest>) => `promote/${owner}/${repo}/${number}`;

const toldQueue = ({ owner, repo, number }: z.output<typeof PullRequest>) => `told/${owner}/${repo}/${number}`;

const MergeGroup = z.object({
  owner: z.string(),
  repo: z.string(),
  headSha: z.string(),
  headRef: z.string(),
  installationId: Int,
});
const mergeGroupQueue = ({ owner, repo, headSha }: z.output<typeof MergeGroup>) =>
  `merge-group/${owner}/${repo}/${headSha}`;

/** All jobs that create, update or end the check of a run share a queue, so that GitHub shows the latest state. */
const checkQueue = ({ runId }: { runId: string }) => `check/${runId}`;
/** The results of a finished run are judged again by one job at a time. */
const judgeQueue = ({ runId }: { runId: string }) => `judge-run/${runId}`;
/** For each run, one search for its preview waits and one runs at a time. */
const previewQueue = ({ runId }: { runId: string }) => `preview/${runId}`;

/** Infers the type of the payload. */
const kind = <P>(settings: JobKind<P>): JobKind<P> => settings;

const KINDS = {
  // The slots of a suite's captures and comparisons (`work-on-pages.ts`).
  'capture-suite': kind({
    payload: SlotOfSuite,
    lane: 'page',
    maxAttempts: 5,
    maxMinutes: 120,
    key: ({ suiteId, slot }) => `capture/${suiteId}/${slot}`,
  }),
  'compare-suite': kind({
    payload: SlotOfSuite,
    lane: 'result',
    maxAttempts: 5,
    maxMinutes: 60,
    key: ({ suiteId, slot }) => `compare/${suiteId}/${slot}`,
  }),
  // Earlier versions had a job for each page. What they left waiting opens the slots of its suite.
  'capture-page': kind({ payload: RunAndPath, lane: 'page', maxAttempts: 5, maxMinutes: 10 }),
  'compare-page': kind({ payload: RunAndPath, lane: 'page', maxAttempts: 5, maxMinutes: 10 }),
  'capture-control': kind({ payload: RunAndPath, lane: 'page', maxAttempts: 5, maxMinutes: 10 }),
  'finish-run': kind({
    payload: OfRun,
    lane: 'result',
    priority: -1,
    maxAttempts: 10,
    maxMinutes: 10,
    key: ({ runId }) => `finish/${runId}`,
  }),
  // A person waits for it, on a suite's settings page.
  'try-page': kind({
    payload: z.object({ trialId: z.string() }),
    lane: 'page',
    priority: -2,
    maxAttempts: 2,
    maxMinutes: 15,
  }),
  // A person waits for it, on the form for a new suite.
  'look-at-site': kind({
    payload: z.object({ lookId: z.string() }),
    lane: 'page',
    priority: -2,
    maxAttempts: 2,
    maxMinutes: 5,
  }),
  // Judges runs again after a change of what the suite ignores.
  'judge-suite': kind({
    payload: OfSuite,
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 10,
    key: ({ suiteId }) => `judge-suite/${suiteId}`,
  }),
  'judge-run': kind({
    payload: OfRun,
    lane: 'long',
    maxAttempts: 5,
    maxMinutes: 60,
    key: judgeQueue,
    queue: judgeQueue,
  }),
  // A baseline has moved: open pull requests are compared with it.
  'follow-baselines': kind({
    payload: OfSuite,
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 10,
    key: ({ suiteId }) => `follow-baselines/${suiteId}`,
  }),
  // A suite's configuration has changed: open pull requests may loosen something else by now.
  'follow-settings': kind({
    payload: OfSuite,
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 10,
    key: ({ suiteId }) => `follow-settings/${suiteId}`,
  }),
  // Shares a queue with `judge-run`.
  'compare-anew': kind({
    payload: OfRun,
    lane: 'long',
    maxAttempts: 5,
    maxMinutes: 60,
    key: ({ runId }) => `compare-anew/${runId}`,
    queue: judgeQueue,
  }),
  // The first crawl of a suite has ended.
  'start-first-run': kind({
    payload: OfSuite,
    lane: 'short',
    priority: -1,
    maxAttempts: 12,
    maxMinutes: 10,
    key: ({ suiteId }) => `start-first-run/${suiteId}`,
  }),
  'crawl-suite': kind({ payload: OfSuite, lane: 'crawl', maxAttempts: 3, maxMinutes: 210 }),
  // A build of a commit was uploaded: the runs that wait for a preview of that commit take it.
  'use-build': kind({
    payload: z.object({ suiteId: z.string(), headSha: z.string() }),
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 10,
  }),
  'remove-build-objects': kind({
    payload: z.object({ suiteId: z.string(), storedAs: z.string() }),
    lane: 'long',
    priority: 1,
    maxAttempts: 15,
    maxMinutes: 120,
  }),
  'remove-suite-objects': kind({ payload: OfSuite, lane: 'long', priority: 1, maxAttempts: 15, maxMinutes: 120 }),
  // One suite at a time, so that retention is never much of the load.
  'sweep-suite': kind({
    payload: OfSuite,
    lane: 'long',
    priority: 2,
    maxAttempts: 5,
    maxMinutes: 120,
    key: ({ suiteId }) => `sweep/${suiteId}`,
    queue: () => 'retention',
  }),
  'send-reset-link': kind({
    payload: z.object({ email: z.string() }),
    lane: 'short',
    maxAttempts: 8,
    maxMinutes: 5,
    key: ({ email }) => `reset-password/${email}`,
    isPrivate: true,
  }),
  'send-invitation': kind({
    payload: z.object({ invitationId: z.string() }),
    lane: 'short',
    maxAttempts: 8,
    maxMinutes: 5,
    key: ({ invitationId }) => `invitation/${invitationId}`,
  }),
  // Tells people and programs of an event. One at a time, so that they are told in order.
  'tell-event': kind({
    payload: z.object({ eventId: Int }),
    lane: 'short',
    maxAttempts: 20,
    maxMinutes: 5,
    key: ({ eventId }) => `tell-event/${eventId}`,
    queue: () => 'tell-event',
  }),
  // Sends what waits for a target, in order.
  'send-deliveries': kind({
    payload: z.object({ targetId: z.string() }),
    lane: 'short',
    maxAttempts: 20,
    maxMinutes: 10,
    key: ({ targetId }) => `deliveries/${targetId}`,
    queue: ({ targetId }) => `deliveries/${targetId}`,
  }),
  // Mails what waits for a person, at most once an hour.
  'send-digest': kind({
    payload: z.object({ userId: z.string() }),
    lane: 'short',
    maxAttempts: 20,
    maxMinutes: 5,
    key: ({ userId }) => `digest/${userId}`,
    queue: ({ userId }) => `digest/${userId}`,
  }),
  // Stored webhooks of a pull request, a commit or an installation. They come before longer jobs, and before the jobs
  // that they lead to.
  'take-events': kind({
    payload: z.object({ subject: z.string() }),
    lane: 'short',
    priority: -2,
    maxAttempts: 12,
    maxMinutes: 10,
    key: ({ subject }) => `events/${subject}`,
  }),
  // Events that did not arrive: these ask GitHub for failed deliveries, and for what happened in a repository.
  'redeliver-missed': kind({
    payload: z.object({}),
    lane: 'short',
    priority: 1,
    maxAttempts: 5,
    maxMinutes: 10,
    key: () => 'redeliver-missed',
    queue: () => 'redeliver-missed',
  }),
  'synchronize-repository': kind({
    payload: z.object({ owner: z.string(), repo: z.string(), what: z.enum(['previews', 'everything']) }),
    lane: 'short',
    priority: 1,
    maxAttempts: 5,
    maxMinutes: 10,
    key: ({ owner, repo, what }) => `synchronize/${owner}/${repo}/${what}`,
    queue: () => 'synchronize-repository',
  }),
  'find-preview': kind({
    payload: OfRun,
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 10,
    key: previewQueue,
    queue: previewQueue,
  }),
  // Its pull request got another base. It waits for a search that may still read what is changed from the old one.
  'follow-base-settings': kind({
    payload: OfRun,
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 10,
    key: ({ runId }) => `base-settings/${runId}`,
    queue: previewQueue,
  }),
  'expire-preview': kind({
    payload: OfRun,
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 5,
    key: ({ runId }) => `expire/${runId}`,
  }),
  // After a change of which preview is the suite's.
  'search-previews-again': kind({
    payload: OfSuite,
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 10,
    key: ({ suiteId }) => `search-previews-again/${suiteId}`,
  }),
  // A deployment of a pull request's test merge: asks GitHub which head was merged.
  'place-merge-deployment': kind({
    payload: z.object({ owner: z.string(), repo: z.string(), mergeSha: z.string(), installationId: Int }),
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 5,
    key: ({ owner, repo, mergeSha }) => `merge-deployment/${owner}/${repo}/${mergeSha}`,
  }),
  'show-check': kind({
    payload: OfRun,
    lane: 'short',
    maxAttempts: 12,
    maxMinutes: 10,
    key: checkQueue,
    queue: checkQueue,
  }),
  // The comment on a pull request, and the check over all suites.
  'tell-pull-request': kind({
    payload: PullRequest,
    lane: 'short',
    maxAttempts: 12,
    maxMinutes: 10,
    key: toldQueue,
    queue: toldQueue,
  }),
  // Ends the check of a deleted run. Without `checkRunId`, the check is found by `runId`, its external id on GitHub.
  'end-check': kind({
    payload: z.object({
      owner: z.string(),
      repo: z.string(),
      installationId: Int,
      runId: z.string(),
      checkRunId: IntOrNull,
      name: z.string(),
      headSha: z.string(),
    }),
    lane: 'short',
    maxAttempts: 12,
    maxMinutes: 10,
    key: ({ runId }) => `end-check/${runId}`,
    queue: checkQueue,
  }),
  // Decides which open pull requests of a repository are gated.
  'gate-pull-requests': kind({
    payload: z.object({ owner: z.string(), repo: z.string() }),
    lane: 'short',
    maxAttempts: 12,
    maxMinutes: 10,
    key: ({ owner, repo }) => `gate/${owner}/${repo}`,
    queue: ({ owner, repo }) => `gate/${owner}/${repo}`,
  }),
  // Reads the configuration file on the default branch of a repository.
  'read-config-file': kind({
    payload: z.object({ owner: z.string(), repo: z.string() }),
    lane: 'short',
    maxAttempts: 12,
    maxMinutes: 10,
    key: ({ owner, repo }) => `config-file/${owner}/${repo}`,
    queue: ({ owner, repo }) => `config-file/${owner}/${repo}`,
  }),
  'end-unlinked-runs': kind({ payload: OfSuite, lane: 'short', maxAttempts: 12, maxMinutes: 10 }),
  // At most one judgment per group waits. A new request judges the group again.
  'judge-merge-group': kind({
    payload: MergeGroup,
    lane: 'short',
    maxAttempts: 12,
    maxMinutes: 10,
    key: mergeGroupQueue,
    queue: mergeGroupQueue,
  }),
  'promote-pull-request': kind({
    payload: PullRequest,
    lane: 'short',
    maxAttempts: 12,
    maxMinutes: 10,
    key: promotionQueue,
    queue: promotionQueue,
  }),
  'refresh-installation': kind({
    payload: z.object({ installationId: Int }),
    lane: 'short',
    maxAttempts: 10,
    maxMinutes: 5,
    key: ({ installationId }) => `refresh-installation/${installationId}`,
  }),
};

export type JobName = keyof typeof KINDS;

type PayloadOf<K> = K extends JobKind<infer P> ? P : never;
export type JobPayloads = { [N in JobName]: PayloadOf<(typeof KINDS)[N]> };

export const JOB_KINDS: { readonly [N in JobName]: JobKind<JobPayloads[N]> } = KINDS;

export const isJobName = (name: string): name is JobName => Object.hasOwn(JOB_KINDS, name);

export const JOB_NAMES: readonly JobName[] = Object.keys(JOB_KINDS).filter(isJobName);

/** Null: the payload does not have this job's format. */
export function parsePayload<N extends JobName>(name: N, payload: unknown): JobPayloads[N] | null {
  return JOB_KINDS[name].payload.safeParse(payload).data ?? null;
}

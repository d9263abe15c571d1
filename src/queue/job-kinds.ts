import { z } from 'zod';
import type { JobKind, Lane } from './job.ts';

/*
 * Every kind of job: its payload, how it is queued, and how often it is tried. A payload holds ids only, so that a job
 * works on the rows as they are when it runs. A new kind is a row here, with which any room may enqueue it, and a row
 * in `src/jobs.ts`, which says what runs it and what happens when it is given up. The compiler demands that one.
 */

const OfRun = z.object({ runId: z.string() });
const OfSuite = z.object({ suiteId: z.string() });
/** `slot`: from 0. */
const SlotOfSuite = OfSuite.extend({ slot: z.int() });

const Repository = z.object({ owner: z.string(), repo: z.string() });
const PullRequest = Repository.extend({ number: z.int() });

/** All jobs that create, update or end the check of a run share a queue, so that GitHub shows the latest state. */
const checkQueue = ({ runId }: { runId: string }) => `check/${runId}`;

/** What a kind has unless its row says otherwise. */
const USUAL = { lane: 'short', maxMinutes: 10 } as const;

/** A key or a queue: a text stands before all fields of the payload, as in `capture/<suiteId>/<slot>`. */
type Named<P> = string | ((payload: P) => string);

type Given<P> = Pick<JobKind<P>, 'payload' | 'priority' | 'maxAttempts' | 'isPrivate'> & {
  lane?: Lane;
  maxMinutes?: number;
  key?: Named<P>;
  queue?: Named<P>;
  /** Its key is its queue as well. */
  isAlone?: true;
};

function nameBy<P extends Record<string, unknown>>(name: Named<P>): (payload: P) => string {
  return typeof name === 'function' ? name : (payload) => [name, ...Object.values(payload)].join('/');
}

/** Infers the type of the payload. */
function kind<P extends Record<string, unknown>>({ key, isAlone, queue, ...given }: Given<P>): JobKind<P> {
  const named = isAlone === true ? key : queue;
  return {
    ...USUAL,
    ...given,
    ...(key !== undefined && { key: nameBy(key) }),
    ...(named !== undefined && { queue: nameBy(named) }),
  };
}

const KINDS = {
  // The slots of a suite's captures and comparisons (`work-on-pages.ts`).
  'capture-suite': kind({ payload: SlotOfSuite, lane: 'page', maxAttempts: 5, maxMinutes: 120, key: 'capture' }),
  'compare-suite': kind({ payload: SlotOfSuite, lane: 'result', maxAttempts: 5, maxMinutes: 60, key: 'compare' }),
  'finish-run': kind({ payload: OfRun, lane: 'result', priority: -1, maxAttempts: 10, key: 'finish' }),
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
  // Judges runs again after a change of what the suite ignores. An earlier job must not end after a later one.
  'judge-suite': kind({ payload: OfSuite, maxAttempts: 10, key: 'judge-suite', isAlone: true }),
  'judge-run': kind({ payload: OfRun, lane: 'long', maxAttempts: 5, maxMinutes: 60, key: 'judge-run', isAlone: true }),
  // A baseline has moved: open pull requests are compared with it.
  'follow-baselines': kind({ payload: OfSuite, maxAttempts: 10, key: 'follow-baselines' }),
  // A suite's configuration has changed: open pull requests may loosen something else by now. One at a time, too.
  'follow-settings': kind({ payload: OfSuite, maxAttempts: 10, key: 'follow-settings', isAlone: true }),
  // Shares a queue with `judge-run`.
  'compare-anew': kind({
    payload: OfRun,
    lane: 'long',
    maxAttempts: 5,
    maxMinutes: 60,
    key: 'compare-anew',
    queue: 'judge-run',
  }),
  // The first crawl of a suite has ended.
  'start-first-run': kind({ payload: OfSuite, priority: -1, maxAttempts: 12, key: 'start-first-run' }),
  'crawl-suite': kind({ payload: OfSuite, lane: 'crawl', maxAttempts: 3, maxMinutes: 210 }),
  // A build of a commit was uploaded: the runs that wait for a preview of that commit take it.
  'use-build': kind({ payload: z.object({ suiteId: z.string(), headSha: z.string() }), maxAttempts: 10 }),
  'remove-build-objects': kind({
    payload: z.object({ suiteId: z.string(), storedAs: z.string() }),
    lane: 'long',
    priority: 1,
    maxAttempts: 15,
    maxMinutes: 120,
    key: 'remove-build',
  }),
  'remove-suite-objects': kind({
    payload: OfSuite,
    lane: 'long',
    priority: 1,
    maxAttempts: 15,
    maxMinutes: 120,
    key: 'remove-suite',
  }),
  // One suite at a time, so that retention is never much of the load.
  'sweep-suite': kind({
    payload: OfSuite,
    lane: 'long',
    priority: 2,
    maxAttempts: 5,
    maxMinutes: 120,
    key: 'sweep',
    queue: () => 'retention',
  }),
  'send-reset-link': kind({
    payload: z.object({ email: z.string() }),
    maxAttempts: 8,
    maxMinutes: 5,
    key: 'reset-password',
    isPrivate: true,
  }),
  'send-invitation': kind({
    payload: z.object({ invitationId: z.string() }),
    maxAttempts: 8,
    maxMinutes: 5,
    key: 'invitation',
  }),
  // Tells people and programs of an event. One at a time, so that they are told in order.
  'tell-event': kind({
    payload: z.object({ eventId: z.int() }),
    maxAttempts: 20,
    maxMinutes: 5,
    key: 'tell-event',
    queue: () => 'tell-event',
  }),
  // Sends what waits for a target, in order. This and mail wait for servers of others, which may hang: checks come first.
  'send-deliveries': kind({
    payload: z.object({ targetId: z.string() }),
    priority: 1,
    maxAttempts: 20,
    key: 'deliveries',
    isAlone: true,
  }),
  // Mails what waits for a person, at most once an hour.
  'send-digest': kind({
    payload: z.object({ userId: z.string() }),
    priority: 1,
    maxAttempts: 20,
    maxMinutes: 5,
    key: 'digest',
    isAlone: true,
  }),
  // Stored webhooks of a pull request, a commit or an installation. They come before longer jobs, and before the jobs
  // that they lead to.
  'take-events': kind({ payload: z.object({ subject: z.string() }), priority: -2, maxAttempts: 12, key: 'events' }),
  // Events that did not arrive: these ask GitHub for failed deliveries, and for what happened in a repository. `round`: the
  // search for deliveries that it continues, and GitHub's cursor to the next ones. Without it, a search begins.
  'redeliver-missed': kind({
    payload: z.object({ round: z.object({ startedAt: z.coerce.date(), cursor: z.string() }).optional() }),
    priority: 1,
    maxAttempts: 5,
    key: () => 'redeliver-missed',
    isAlone: true,
  }),
  'synchronize-repository': kind({
    payload: Repository.extend({ what: z.enum(['previews', 'everything']) }),
    priority: 1,
    maxAttempts: 5,
    key: 'synchronize',
    queue: () => 'synchronize-repository',
  }),
  'find-preview': kind({ payload: OfRun, maxAttempts: 10, key: 'preview', isAlone: true }),
  // The last search of a run that waited for its full time.
  'expire-preview': kind({ payload: OfRun, maxAttempts: 10, maxMinutes: 5, key: 'expire', queue: 'preview' }),
  // Its pull request got another base. It waits for a search that may still read what is changed from the old one.
  'follow-base-settings': kind({ payload: OfRun, maxAttempts: 10, key: 'base-settings', queue: 'preview' }),
  // After a change of which preview is the suite's.
  'search-previews-again': kind({ payload: OfSuite, maxAttempts: 10, key: 'search-previews-again' }),
  // A deployment of a pull request's test merge: asks GitHub which head was merged.
  'place-merge-deployment': kind({
    payload: Repository.extend({ mergeSha: z.string(), installationId: z.int() }),
    maxAttempts: 10,
    maxMinutes: 5,
    key: ({ owner, repo, mergeSha }) => `merge-deployment/${owner}/${repo}/${mergeSha}`,
  }),
  'show-check': kind({ payload: OfRun, maxAttempts: 12, key: checkQueue, isAlone: true }),
  // The comment on a pull request, and the check over all suites.
  'tell-pull-request': kind({ payload: PullRequest, maxAttempts: 12, key: 'told', isAlone: true }),
  // Ends the check of a deleted run. Without `checkRunId`, the check is found by `runId`, its external id on GitHub.
  'end-check': kind({
    payload: Repository.extend({
      installationId: z.int(),
      runId: z.string(),
      checkRunId: z.int().nullable(),
      name: z.string(),
      headSha: z.string(),
    }),
    maxAttempts: 12,
    key: ({ runId }) => `end-check/${runId}`,
    queue: checkQueue,
  }),
  // Decides which open pull requests of a repository are gated.
  'gate-pull-requests': kind({ payload: Repository, maxAttempts: 12, key: 'gate', isAlone: true }),
  // Reads the configuration file on the default branch of a repository.
  'read-config-file': kind({ payload: Repository, maxAttempts: 12, key: 'config-file', isAlone: true }),
  'end-unlinked-runs': kind({ payload: OfSuite, maxAttempts: 12 }),
  // At most one judgment per group waits. A new request judges the group again.
  'judge-merge-group': kind({
    payload: Repository.extend({ headSha: z.string(), headRef: z.string(), installationId: z.int() }),
    maxAttempts: 12,
    key: ({ owner, repo, headSha }) => `merge-group/${owner}/${repo}/${headSha}`,
    isAlone: true,
  }),
  'promote-pull-request': kind({ payload: PullRequest, maxAttempts: 12, key: 'promote', isAlone: true }),
  'refresh-installation': kind({
    payload: z.object({ installationId: z.int() }),
    maxAttempts: 10,
    maxMinutes: 5,
    key: 'refresh-installation',
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

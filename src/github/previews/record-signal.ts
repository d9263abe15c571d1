import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import type { PreviewRules } from '../../pull-requests/previews/preview-search.ts';
import { findNewestAttempt, findPullRequestRun } from '../../pull-requests/pull-request-run-store.ts';
import type { PullRequestRun } from '../../pull-requests/pull-request-run.ts';
import { findOpenPullRequestsAt } from '../../pull-requests/pull-request-store.ts';
import type { PullRequest } from '../../pull-requests/pull-request.ts';
import { queuePreviewSearches, startPullRequestRun } from '../../pull-requests/start-pull-request-run.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { JobPayloads } from '../../queue/job-kinds.ts';
import { findBuildOfCommit } from '../../runs/builds/build-store.ts';
import { cancelInFlight } from '../../runs/end-run.ts';
import { isInFlight } from '../../runs/run.ts';
import { findLinkedSuite, linkedSuites, type LinkedSuite } from '../../suites/linked-suites.ts';
import { askGitHub, installationClient, unlessGone, type GitHubContext } from '../app/github-client.ts';
import { isConcerned, rulesFor } from './choose-preview.ts';
import { nameKey, readChoice } from './read-choice.ts';
import { findSignals, hearSignal, removeSignals } from './signal-store.ts';
import { isOfPreview, type HeardSignal } from './signal.ts';

type RecordContext = Pick<Context, 'config' | 'clock' | 'log'>;

const KEPT_MS = 30 * 86_400_000;

/** Whether the preview that the run used was deployed again, or announced after its address had answered. */
async function isReplaced(db: Db, run: PullRequestRun): Promise<boolean> {
  const { headSha, owner, repo, search, testSuiteId } = run;
  if (search === null) return false;
  const { used } = search;
  if (used === null) {
    const choice = await readChoice(db, run, search);
    const isAnnounced = choice.kind === 'found' && choice.preview.signal !== null;
    return isAnnounced && (await findBuildOfCommit(db, testSuiteId, headSha)) === null;
  }
  const signals = await findSignals(db, { owner, repo, headSha });
  const now = signals.find((each) => nameKey(each) === nameKey(used));
  return now !== undefined && now.readyKey !== used.readyKey;
}

/** Whether the current knowledge needs another attempt after this one. `isNews`: it was unknown before the event. */
async function isAgainDue(db: Db, last: PullRequestRun, rules: PreviewRules, isNews: boolean): Promise<boolean> {
  const choose = async () => readChoice(db, last, rules);
  switch (last.reason) {
    case null:
      return isNews && last.enqueued && isReplaced(db, last);
    case 'preview_unusable':
      return isNews && ((await isReplaced(db, last)) || (last.search === null && (await choose()).kind === 'found'));
    case 'preview_timeout':
    case 'suite_unlinked':
    case 'suite_inactive':
      return ['found', 'several'].includes((await choose()).kind);
    case 'preview_failed':
    case 'preview_skipped':
      return isNews && (await choose()).kind !== 'will_not_come';
    case 'preview_ambiguous':
      return isNews && (await choose()).kind === 'found';
    default:
      return false;
  }
}

/** An event, and whether it is new. Null: anything that was recorded before. */
type News = { signal: HeardSignal; isNews: boolean } | null;

async function follow(
  trx: Db,
  ctx: RecordContext,
  suite: LinkedSuite,
  pullRequest: PullRequest,
  news: News,
): Promise<void> {
  const last = await findNewestAttempt(trx, suite.suite.id, pullRequest);
  if (last === null) {
    // A build of an old pull request does not cause a capture.
    if (news !== null && isOfPreview(news.signal)) await startPullRequestRun(trx, ctx, suite, pullRequest, []);
    return;
  }
  if (isInFlight(last.status) && !last.enqueued) return;
  if (news !== null && last.search !== null && !isConcerned(last.search, news.signal)) return;
  const rules = last.search ?? rulesFor(suite.suite, null, pullRequest);
  if (!(await isAgainDue(trx, last, rules, news?.isNews ?? true))) return;
  if (isInFlight(last.status)) await cancelInFlight(trx, ctx, last.id, { reason: 'preview_replaced' });
  await startPullRequestRun(trx, ctx, suite, pullRequest, 'any end');
}

/**
 * Records what GitHub said about a commit's preview, and makes the waiting runs look for it. The event may arrive
 * before the pull request, more than once and late. If the last attempt at the commit ended otherwise, or captured a
 * deployment that this one replaces, it starts another.
 */
export async function recordSignal(trx: Db, ctx: RecordContext, signal: HeardSignal): Promise<void> {
  const suites = await linkedSuites({ db: trx, config: ctx.config }, signal);
  // A repository without a suite may have been renamed, which we learn later. Other signals are too frequent to be kept
  // for that.
  if (suites.length === 0 && signal.source !== 'DEPLOYMENT') return;
  const isNews = await hearSignal(trx, signal, ctx.clock.now());
  const { owner, repo, headSha, source, name, state, url } = signal;
  if (isNews || source === 'DEPLOYMENT') {
    for (const pullRequest of await findOpenPullRequestsAt(trx, signal)) {
      for (const suite of suites) await follow(trx, ctx, suite, pullRequest, { signal, isNews });
    }
    await queuePreviewSearches(trx, signal, (search) => search === null || isConcerned(search, signal));
  }
  ctx.log.info({ owner, repo, headSha, source, name, state, url, isNews }, 'recorded a signal of a preview');
}

/** Checks signals that were recorded while a search opened or ended a run, because a newer deployment may have arrived. */
export async function followOpenedRun(ctx: RecordContext & Pick<Context, 'db'>, runId: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const run = await findPullRequestRun(trx, runId);
    if (run === null) return;
    const isOver = run.reason === 'preview_failed' || run.reason === 'preview_skipped';
    if (!isOver && !(run.enqueued && isInFlight(run.status))) return;
    const suite = await findLinkedSuite({ db: trx, config: ctx.config }, run, run.testSuiteId);
    const pullRequest = (await findOpenPullRequestsAt(trx, run)).find(({ number }) => number === run.number);
    if (suite !== null && pullRequest !== undefined) await follow(trx, ctx, suite, pullRequest, null);
  });
}

/** Records a deployment of the test merge of a pull request. A job asks GitHub which head was merged. */
export async function recordMergeSignal(trx: Db, ctx: RecordContext, signal: HeardSignal): Promise<void> {
  const [linked] = await linkedSuites({ db: trx, config: ctx.config }, signal);
  if (linked === undefined || !(await hearSignal(trx, signal, ctx.clock.now()))) return;
  const { owner, repo, headSha: mergeSha } = signal;
  const { installationId } = linked.suite.codehost;
  await enqueue(trx, 'place-merge-deployment', { owner, repo, mergeSha, installationId });
}

/** Deletes records older than 30 days, or too many of a repository, except for heads of open pull requests. */
export async function pruneSignals({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await removeSignals(db, new Date(clock.now().getTime() - KEPT_MS));
}

type Merge = JobPayloads['place-merge-deployment'];

/** The head that a test merge merged into its base: its second parent. Null if GitHub no longer has the commit. */
async function readMergedHead(ctx: GitHubContext, merge: Merge): Promise<string | null> {
  const { owner, repo, mergeSha, installationId } = merge;
  const github = await installationClient(ctx, installationId);
  const answer = await unlessGone(
    async () => github.rest.git.getCommit({ owner, repo, commit_sha: mergeSha }),
    (error) => ctx.log.info({ err: error, ...merge }, 'GitHub no longer has a test merge that was deployed'),
  );
  return answer && (answer.data.parents[1]?.sha ?? mergeSha);
}

/**
 * Job: deployments of `refs/pull/N/merge` are of a commit that GitHub made. They count for the head of the pull request
 * in it, and not for a head that was pushed since.
 */
export async function placeMergeDeployment(ctx: GitHubContext, merge: Merge): Promise<void> {
  const { owner, repo, mergeSha } = merge;
  await askGitHub(ctx, 'place-merge-deployment', merge, async () => {
    const headSha = await readMergedHead(ctx, merge);
    if (headSha === null) return;
    await inTransaction(ctx.db, async (trx) => {
      for (const signal of await findSignals(trx, { owner, repo, headSha: mergeSha })) {
        const { createdAt: _first, updatedAt: _last, readyKey: _ready, ...heard } = signal;
        await recordSignal(trx, ctx, { ...heard, headSha });
      }
    });
  });
}
